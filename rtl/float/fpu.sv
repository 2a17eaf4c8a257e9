// Floating-point unit of a tile: every f16 and f32 operation but division and square root (fp_divsqrt).
//
// Inputs are taken in pipeline stage X1, result and flags are combinational in M, two cycles later; one operation may
// start in every cycle. Operands are NaN-unboxed, f16 in the low 16 bits (the rest is ignored), the integer operand of a
// conversion on a_i. A result in f16 has its upper 16 bits zero. rm_i is the resolved rounding mode (0 to 4). Outside
// the cycle in which an operation is in M the outputs mean nothing.
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
  // Bits 4:3 of an operation choose the unit (fp_ops.def).
  logic is_fma, is_convert, is_compare;
  assign is_fma = valid_i & (op_i[4:3] == 2'b00);
  assign is_convert = valid_i & (op_i[4:3] == 2'b01);
  assign is_compare = valid_i & op_i[4];

  logic [31:0] fma_result, convert_result, compare_result;
  logic [4:0] fma_flags, convert_flags;
  logic compare_invalid;

  fp_fma u_fma (
      .clk_i,
      .rst_ni,
      .valid_i (is_fma),
      .op_i    (op_i[2:0]),
      .fmt_i,
      .rm_i,
      .a_i,
      .b_i,
      .c_i,
      .result_o(fma_result),
      .flags_o (fma_flags)
  );

  fp_convert u_convert (
      .clk_i,
      .rst_ni,
      .valid_i (is_convert),
      .op_i,
      .fmt_i,
      .rm_i,
      .a_i,
      .result_o(convert_result),
      .flags_o (convert_flags)
  );

  fp_compare u_compare (
      .clk_i,
      .rst_ni,
      .valid_i  (is_compare),
      .op_i,
      .fmt_i,
      .a_i,
      .b_i,
      .result_o (compare_result),
      .invalid_o(compare_invalid)
  );

  logic convert_x2_q, compare_x2_q, convert_m_q, compare_m_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      convert_x2_q <= 1'b0;
      compare_x2_q <= 1'b0;
      convert_m_q <= 1'b0;
      compare_m_q <= 1'b0;
    end else begin
      convert_x2_q <= is_convert;
      compare_x2_q <= is_compare;
      convert_m_q <= convert_x2_q;
      compare_m_q <= compare_x2_q;
    end
  end

  always_comb begin
    if (convert_m_q) begin
      result_o = convert_result;
      flags_o = convert_flags;
    end else if (compare_m_q) begin
      result_o = compare_result;
      flags_o = 5'd0;
      flags_o[fp_pkg::FLAG_NV] = compare_invalid;
    end else begin
      result_o = fma_result;
      flags_o = fma_flags;
    end
  end
endmodule
