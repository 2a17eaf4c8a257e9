// One lane of the vector unit: arithmetic, comparison and conversion of one number, with one rounding in M.
//
// A narrow lane (Wide = 0) computes f16 only and has no conversion to and from integers or to f32; f32 is rounded to
// f16 in every lane. Operands are taken in X1, the result is combinational in M. A lane without an operation in M gives
// no flags.
module vector_lane #(
    parameter bit Wide = 1'b1
) (
    input  logic               clk_i,              // gated
    input  logic               fma_i,              // X1 holds an operation of fp_fma,
    input  logic               compare_i,          //   fp_compare,
    input  logic               convert_i,          //   fp_convert,
    input  logic               narrow_i,           //   vector_narrow
    input  logic        [ 4:0] op_i,               // fp_pkg::OP_*, of the first three
    input  logic               fmt_i,
    input  logic               result_fmt_i,       // of fp_fma
    input  logic        [ 2:0] rm_i,
    input  logic               clamp_i,            // fp_compare's maximum is the first half of a clamp
    input  logic        [ 1:0] width_i,            // of vector_narrow's operand
    input  logic               fraction_i,
    input  logic               to_f8_i,
    input  logic               f8_e5_i,
    input  logic signed [ 5:0] scale_i,
    input  logic               stochastic_i,
    input  logic        [15:0] random_i,
    input  logic        [31:0] a_i,
    input  logic        [31:0] b_i,
    input  logic        [31:0] c_i,
    input  logic        [ 1:0] half_overflow_m_i,  // of the operation in M
    output logic        [31:0] result_o,           // f16: upper half zero
    output logic        [ 4:0] flags_o
);
  logic fmt, result_fmt;
  assign fmt = Wide ? fmt_i : fp_pkg::FMT_F16;
  assign result_fmt = Wide ? result_fmt_i : fp_pkg::FMT_F16;

  logic fma_valid, fma_f16, fma_sign, fma_special;
  logic [2:0] fma_rm;
  logic signed [9:0] fma_exponent;
  logic [26:0] fma_significand;
  logic [31:0] fma_special_result;
  logic [4:0] fma_special_flags;
  fp_fma u_fma (
      .clk_i,
      .valid_i         (fma_i),
      .op_i            (op_i[2:0]),
      .fmt_i           (fmt),
      .result_fmt_i    (result_fmt),
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
  if (Wide) begin : g_convert
    fp_convert u_convert (
        .clk_i,
        .valid_i         (convert_i),
        .op_i,
        .fmt_i           (fmt),
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
  end else begin : g_no_convert
    logic unused;
    assign unused = convert_i & fmt_i & result_fmt_i;
    assign convert_valid = 1'b0;
    assign convert_f16 = 1'b0;
    assign convert_rm = 3'd0;
    assign convert_sign = 1'b0;
    assign convert_exponent = 10'sd0;
    assign convert_significand = 27'd0;
    assign convert_special = 1'b0;
    assign convert_special_result = 32'd0;
    assign convert_special_flags = 5'd0;
  end

  logic narrow_valid, narrow_f16, narrow_sign, narrow_special;
  logic [2:0] narrow_rm;
  logic signed [9:0] narrow_exponent;
  logic [26:0] narrow_significand;
  logic [31:0] narrow_special_result;
  logic [4:0] narrow_special_flags;
  vector_narrow u_narrow (
      .clk_i,
      .valid_i         (narrow_i),
      .width_i,
      .fraction_i,
      .to_f8_i,
      .f8_e5_i,
      .scale_i,
      .rm_i,
      .stochastic_i,
      .random_i,
      .a_i,
      .half_overflow_m_i,
      .valid_o         (narrow_valid),
      .f16_o           (narrow_f16),
      .rm_o            (narrow_rm),
      .sign_o          (narrow_sign),
      .exponent_o      (narrow_exponent),
      .significand_o   (narrow_significand),
      .special_o       (narrow_special),
      .special_result_o(narrow_special_result),
      .special_flags_o (narrow_special_flags)
  );

  logic compare_valid, compare_invalid, clamp_valid, clamp_invalid;
  logic [31:0] compare_result, clamp_result;
  fp_compare u_compare (
      .clk_i,
      .valid_i  (compare_i),
      .op_i,
      .fmt_i    (fmt),
      .a_i,
      .b_i,
      .valid_o  (compare_valid),
      .result_o (compare_result),
      .invalid_o(compare_invalid)
  );
  vector_clamp u_clamp (
      .clk_i,
      .valid_i  (compare_i & clamp_i),
      .fmt_i    (fmt),
      .high_i   (c_i),
      .first_i  (compare_result),
      .valid_o  (clamp_valid),
      .result_o (clamp_result),
      .invalid_o(clamp_invalid)
  );

  // M. The one to be rounded.
  logic f16, sign, special;
  logic [2:0] rm;
  logic signed [9:0] exponent;
  logic [26:0] significand;
  logic [31:0] special_result;
  logic [4:0] special_flags;
  always_comb begin
    f16 = fma_f16;
    rm = fma_rm;
    sign = fma_sign;
    exponent = fma_exponent;
    significand = fma_significand;
    special = fma_special;
    special_result = fma_special_result;
    special_flags = fma_special_flags;
    if (convert_valid) begin
      f16 = convert_f16;
      rm = convert_rm;
      sign = convert_sign;
      exponent = convert_exponent;
      significand = convert_significand;
      special = convert_special;
      special_result = convert_special_result;
      special_flags = convert_special_flags;
    end else if (narrow_valid) begin
      f16 = narrow_f16;
      rm = narrow_rm;
      sign = narrow_sign;
      exponent = narrow_exponent;
      significand = narrow_significand;
      special = narrow_special;
      special_result = narrow_special_result;
      special_flags = narrow_special_flags;
    end
  end

  logic [31:0] rounded;
  logic [ 4:0] rounded_flags;
  fp_round u_round (
      .f16_i        (f16),
      .rm_i         (rm),
      .sign_i       (sign),
      .exponent_i   (exponent),
      .significand_i(significand),
      .result_o     (rounded),
      .flags_o      (rounded_flags)
  );

  always_comb begin
    result_o = 32'd0;
    flags_o = 5'd0;
    if (compare_valid) begin
      result_o = clamp_valid ? clamp_result : compare_result;
      flags_o[fp_pkg::FLAG_NV] = compare_invalid | (clamp_valid & clamp_invalid);
    end else if (fma_valid || convert_valid || narrow_valid) begin
      if (special) begin
        result_o = special_result;
        flags_o = special_flags;
      end else begin
        result_o = rounded;
        flags_o = rounded_flags;
        if (f16 && rounded_flags[fp_pkg::FLAG_OF]) begin
          if (half_overflow_m_i == 2'd1) result_o = {16'b0, sign, 15'h7bff};
          else if (half_overflow_m_i[1]) result_o = fp_format::canonical_nan(1'b1);
        end
      end
    end
  end
endmodule
