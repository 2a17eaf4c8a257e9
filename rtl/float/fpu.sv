// Floating-point unit of a tile: every f16 and f32 operation but division and square root (fp_divsqrt).
//
// Three units share the clock gate, the rounding in M and the outputs.
//
// Inputs are taken in pipeline stage X1, result and flags are combinational in M, two cycles later; one operation may
// start in every cycle. Operands are NaN-unboxed, f16 in the low 16 bits (the rest is ignored), the integer operand of
// a conversion on a_i. A result in f16 has its upper 16 bits zero. rm_i is the resolved rounding mode (0 to 4). Outside
// the cycle in which an operation is in M the outputs mean nothing.
module fpu (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        test_en_i,  // the clock runs always (clock_gate)
    input  logic        wake_i,     // X1 may hold an operation of this unit in the next cycle
    input  logic        valid_i,    // X1 holds an operation of this unit
    input  logic [ 4:0] op_i,       // fp_pkg::OP_*
    input  logic        fmt_i,      // fp_pkg::FMT_*
    input  logic [ 2:0] rm_i,       // fp_pkg::RM_*
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic [31:0] c_i,
    output logic [31:0] result_o,
    output logic [31:0] integer_o,  // the same of a comparison, class or conversion to an integer, early in the cycle
    output logic [ 4:0] flags_o     // NV DZ OF UF NX, bit numbers fp_pkg::FLAG_*
);
  // Bits 4:3 of an operation choose the unit (fp_ops.def).
  logic is_fma, is_convert, is_compare;
  assign is_fma = valid_i & (op_i[4:3] == 2'b00);
  assign is_convert = valid_i & (op_i[4:3] == 2'b01);
  assign is_compare = valid_i & op_i[4];

  logic valid_x2_q, gclk;
  always_ff @(posedge gclk) begin
    if (!rst_ni) valid_x2_q <= 1'b0;
    else valid_x2_q <= valid_i;
  end

  unit_clock u_clock (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .opens_i(wake_i | valid_i | !rst_ni),
      .works_i(valid_i | valid_x2_q),
      .gclk_o (gclk)
  );

  // Per unit: is it the one in M, a result to be rounded, and one that is not.
  logic fma_valid, fma_f16, fma_sign, fma_special;
  logic [2:0] fma_rm;
  logic signed [9:0] fma_exponent;
  logic [26:0] fma_significand;
  logic [31:0] fma_special_result;
  logic [4:0] fma_special_flags;
  fp_fma u_fma (
      .clk_i           (gclk),
      .valid_i         (is_fma),
      .op_i            (op_i[2:0]),
      .fmt_i,
      .result_fmt_i    (fmt_i),
      .rm_i,
      .a_i,
      .b_i,
      .c_i,
      .valid_o         (fma_valid),
      .f16_o           (fma_f16),
      .rm_o            (fma_rm),
      .sign_o          (fma_sign),
      .exponent_o      (fma_exponent),
      .significand_o   (fma_significand),
      .special_o       (fma_special),
      .special_result_o(fma_special_result),
      .special_flags_o (fma_special_flags)
  );

  logic convert_valid, convert_f16, convert_sign, convert_special;
  logic [2:0] convert_rm;
  logic signed [9:0] convert_exponent;
  logic [26:0] convert_significand;
  logic [31:0] convert_special_result;
  logic [4:0] convert_special_flags;
  fp_convert u_convert (
      .clk_i           (gclk),
      .valid_i         (is_convert),
      .op_i,
      .fmt_i,
      .rm_i,
      .a_i,
      .valid_o         (convert_valid),
      .f16_o           (convert_f16),
      .rm_o            (convert_rm),
      .sign_o          (convert_sign),
      .exponent_o      (convert_exponent),
      .significand_o   (convert_significand),
      .special_o       (convert_special),
      .special_result_o(convert_special_result),
      .special_flags_o (convert_special_flags)
  );

  logic compare_valid, compare_invalid;
  logic [31:0] compare_result;
  fp_compare u_compare (
      .clk_i    (gclk),
      .valid_i  (is_compare),
      .op_i,
      .fmt_i,
      .a_i,
      .b_i,
      .valid_o  (compare_valid),
      .result_o (compare_result),
      .invalid_o(compare_invalid)
  );

  logic [31:0] rounded;
  logic [ 4:0] rounded_flags;
  fp_round u_round (
      .f16_i        (convert_valid ? convert_f16 : fma_f16),
      .rm_i         (convert_valid ? convert_rm : fma_rm),
      .sign_i       (convert_valid ? convert_sign : fma_sign),
      .exponent_i   (convert_valid ? convert_exponent : fma_exponent),
      .significand_i(convert_valid ? convert_significand : fma_significand),
      .result_o     (rounded),
      .flags_o      (rounded_flags)
  );

  assign integer_o = compare_valid ? compare_result : convert_special_result;

  always_comb begin
    result_o = rounded;
    flags_o = rounded_flags;
    if (compare_valid) begin
      result_o = compare_result;
      flags_o = 5'd0;
      flags_o[fp_pkg::FLAG_NV] = compare_invalid;
    end else if (convert_valid && convert_special) begin
      result_o = convert_special_result;
      flags_o = convert_special_flags;
    end else if (fma_valid && fma_special) begin
      result_o = fma_special_result;
      flags_o = fma_special_flags;
    end
  end
endmodule
