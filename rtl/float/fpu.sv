// Floating-point unit of a tile: every f16 and f32 operation but division and square root (fp_divsqrt).
//
// Inputs are taken in pipeline stage X1, result and flags are combinational in M, two cycles later; one operation may
// start in every cycle. Operands are NaN-unboxed, f16 in the low 16 bits (the rest is ignored), the integer operand of a
// conversion on a_i. A result in f16 has its upper 16 bits zero. rm_i is the resolved rounding mode (0 to 4).
module fpu (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        valid_i,  // X1 holds an operation of this unit
    input  logic [ 4:0] op_i,     // fp_pkg::OP_*
    input  logic        fmt_i,    // fp_pkg::FMT_*
    input  logic [ 2:0] rm_i,     // fp_pkg::RM_*
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic [31:0] c_i,
    output logic [31:0] result_o,
    output logic [ 4:0] flags_o   // NV DZ OF UF NX, bit numbers fp_pkg::FLAG_*
);
endmodule
