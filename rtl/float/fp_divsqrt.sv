// Floating-point division and square root, f32 and f16: a ring of six register stages, one per context.
//
// An instruction passes X1 every six cycles. valid_i is high on every pass, start_i on the first (which takes op, format,
// rounding mode and operands), last_i on the last; result and flags are combinational in M, two cycles after the last
// pass. Passes needed: f32 6, f16 4, for division and square root alike.
module fp_divsqrt (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        valid_i,
    input  logic        start_i,
    input  logic        last_i,
    input  logic [ 4:0] op_i,     // fp_pkg::OP_FDIV or OP_FSQRT
    input  logic        fmt_i,    // fp_pkg::FMT_*
    input  logic [ 2:0] rm_i,     // fp_pkg::RM_*
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    output logic [31:0] result_o,
    output logic [ 4:0] flags_o
);
endmodule
