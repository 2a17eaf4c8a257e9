// Integer division and remainder of RV32M: a ring of six register stages, one per context, seven passes.
//
// An instruction passes X1 every six cycles. valid_i is high on every pass, start_i on the first (which takes operation
// and operands), last_i on the seventh; the result is combinational in M, two cycles after the last pass.
module int_divide (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        valid_i,
    input  logic        start_i,
    input  logic        last_i,
    input  logic [ 1:0] op_i,     // fp_pkg::DIVIDE_*
    input  logic [31:0] a_i,      // dividend
    input  logic [31:0] b_i,      // divisor
    output logic [31:0] result_o
);
endmodule
