// Stages 6 to 8 of a lane of special_unit: (addend +- (factor * value >> shift)) / 2^62 * 2^exponent, rounded to
// nearest.
//
//   stage 6      multiply
//   stage 7      add, normalise
//   stage 8 (M)  shift a subnormal into place, round, pack; results that no table gives
module special_finish (
    input  logic                     clk_i,       // gated
    input  logic              [ 2:0] stage_i,     // stages 8:6 that hold an operand
    input  special_plan::tag_t       tag_i,       // as special_evaluate gives them
    input  logic              [31:0] value_i,
    input  logic              [31:0] factor_i,
    input  logic                     by_other_i,
    input  logic              [31:0] other_i,     // the other lane's value: a hyperbolic tangent
    input  logic              [ 5:0] shift_i,
    input  logic signed       [ 9:0] exponent_i,
    input  logic                     subtract_i,
    input  logic                     sign_i,
    input  logic signed       [63:0] addend_i,
    output logic              [31:0] result_o,    // f16: upper half zero
    output logic              [ 4:0] flags_o
);
  // Stage 6. All products are below 2^63.
  logic [32:0] sigmoid;
  logic [31:0] factor;
  logic [63:0] term_d;
  always_comb begin
    sigmoid = 33'd0;
    factor = 32'd0;
    term_d = 64'd0;
    if (stage_i[0]) begin
      sigmoid = {1'b0, other_i} + 33'h0_8000_0000;
      factor = by_other_i ? sigmoid[32:1] : factor_i;
      term_d = ({32'b0, factor} * {32'b0, value_i}) >> shift_i;
    end
  end

  special_plan::tag_t tag_7_q;
  logic [63:0] term_q;
  logic signed [63:0] addend_q;
  logic signed [9:0] exponent_7_q;
  logic subtract_q, sign_7_q;
  always_ff @(posedge clk_i) begin
    if (stage_i[0]) begin
      tag_7_q <= tag_i;
      term_q <= term_d;
      addend_q <= addend_i;
      exponent_7_q <= exponent_i;
      subtract_q <= subtract_i;
      sign_7_q <= sign_i;
    end
  end

  // Stage 7
  logic [63:0] total, magnitude, normal;
  logic [6:0] zeros;
  logic signed [9:0] exponent_d;
  always_comb begin
    total = 64'd0;
    magnitude = 64'd0;
    normal = 64'd0;
    zeros = 7'd0;
    exponent_d = 10'sd0;
    if (stage_i[1]) begin
      total = subtract_q ? addend_q - term_q : addend_q + term_q;
      magnitude = total[63] ? -total : total;
      zeros = fp_format::leading_zeros(magnitude);
      normal = magnitude << zeros[5:0];
      exponent_d = exponent_7_q + 10'sd1 - $signed({3'b0, zeros});
    end
  end

  special_plan::tag_t tag_8_q;
  logic [26:0] significand_q;
  logic signed [9:0] exponent_8_q;
  logic sign_8_q;
  always_ff @(posedge clk_i) begin
    if (stage_i[1]) begin
      tag_8_q <= tag_7_q;
      significand_q <= {normal[63:38], normal[37:0] != 38'd0};
      exponent_8_q <= exponent_d;
      sign_8_q <= sign_7_q ^ total[63];
    end
  end

  // Stage 8
  logic signed [9:0] least, below, exponent;
  logic [63:0] shifted;
  logic [31:0] rounded;
  logic [4:0] rounded_flags;
  always_comb begin
    least = 10'sd0;
    below = 10'sd0;
    exponent = 10'sd0;
    shifted = 64'd0;
    if (stage_i[2]) begin
      least = fp_format::exponent_min(tag_8_q.f16);
      below = least - exponent_8_q;
      exponent = exponent_8_q;
      shifted = {significand_q, 37'b0};
      if (below > 10'sd0) begin
        exponent = least;
        shifted = fp_format::shift_right_sticky(shifted, below);
      end
    end
  end
  fp_round u_round (
      .f16_i        (tag_8_q.f16),
      .rm_i         (fp_pkg::RM_RNE),
      .sign_i       (sign_8_q),
      .exponent_i   (exponent),
      .significand_i({shifted[63:38], shifted[37:0] != 38'd0}),
      .result_o     (rounded),
      .flags_o      (rounded_flags)
  );

  logic tiny;
  always_comb begin
    result_o = 32'd0;
    flags_o = 5'd0;
    tiny = 1'b0;
    if (stage_i[2]) begin
      flags_o[fp_pkg::FLAG_NV] = tag_8_q.invalid;
      flags_o[fp_pkg::FLAG_DZ] = tag_8_q.by_zero;
      case (tag_8_q.kind)
        special_plan::NOT_A_NUMBER: result_o = fp_format::canonical_nan(tag_8_q.f16);
        special_plan::INFINITE: result_o = fp_format::signed_infinity(tag_8_q.f16, tag_8_q.sign);
        special_plan::ZERO: result_o = fp_format::signed_zero(tag_8_q.f16, tag_8_q.sign);
        default: begin
          result_o = rounded;
          tiny = tag_8_q.f16 ? rounded[14:10] == 5'd0 : rounded[30:23] == 8'd0;
          flags_o[fp_pkg::FLAG_OF] = rounded_flags[fp_pkg::FLAG_OF] & tag_8_q.may_overflow;
          flags_o[fp_pkg::FLAG_UF] = tiny & tag_8_q.may_underflow;
        end
      endcase
    end
  end

  // The other flags of a rounding are never raised by a special function.
  logic unused;
  assign unused = ^{rounded_flags[fp_pkg::FLAG_NV], rounded_flags[fp_pkg::FLAG_DZ], rounded_flags[fp_pkg::FLAG_UF],
                    rounded_flags[fp_pkg::FLAG_NX], zeros[6], sigmoid[0]};
endmodule
