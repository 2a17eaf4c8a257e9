// Conversions whose result is f16 or f8, from f32, f16 or f8, and of unsigned integers to numbers in (-1/2, 1/2).
//
//   X1  unpack into a sign and a 32-bit magnitude with its leading bit's exponent, scale
//   X2  one shift: right to the smallest exponent of the result's format, else left as far as that allows
//   M   stochastic results and f8 are rounded here, the others by the lane
//
// All registers are on a gated clock; the logic of X1 and X2 stands in their clocked blocks, under valid, so that an
// idle unit costs neither power nor simulation time.
module vector_narrow (
    input  logic               clk_i,             // gated
    input  logic               valid_i,
    input  logic        [ 1:0] width_i,           // of the operand: 8 << width bits
    input  logic               fraction_i,        // the operand is an unsigned integer (32 or 16 bits)
    input  logic               to_f8_i,
    input  logic               f8_e5_i,           // f8 is 1-5-2, else 1-4-3
    input  logic signed [ 5:0] scale_i,           // an f8 stands for its value * 2^scale
    input  logic        [ 2:0] rm_i,
    input  logic               stochastic_i,      // f32 to f16 only
    input  logic        [15:0] random_i,
    input  logic        [31:0] a_i,
    input  logic        [ 1:0] half_overflow_m_i, // of the operation in M
    output logic               valid_o,           // M holds an operation of this unit
    output logic               f16_o,             // a result to be rounded, as fp_round takes it
    output logic        [ 2:0] rm_o,
    output logic               sign_o,
    output logic signed [ 9:0] exponent_o,
    output logic        [26:0] significand_o,
    output logic               special_o,         // the result is complete instead:
    output logic        [31:0] special_result_o,
    output logic        [ 4:0] special_flags_o
);
  // X1. The value is magnitude / 2^31 * 2^exponent.
  logic [31:0] magnitude_q;
  logic signed [9:0] exponent_x2_q, floor_q;
  logic sign_x2_q, f16_x2_q, to_f8_x2_q, f8_e5_x2_q, stochastic_x2_q, nan_x2_q, snan_x2_q, inf_x2_q;
  logic [ 2:0] rm_x2_q;
  logic [15:0] random_x2_q;
  logic valid_x2_q;
  always_ff @(posedge clk_i) begin : read_operand
    logic a_nan, a_snan, a_inf, a_sign;
    logic signed [9:0] a_exponent;
    logic [23:0] a_significand;
    logic [31:0] doubled;
    logic [4:0] f8_field;
    logic signed [9:0] scale;
    if (valid_i) begin
      scale = {{4{scale_i[5]}}, scale_i};
      floor_q <= fp_format::exponent_min(!(fraction_i & width_i[1]));
      nan_x2_q <= 1'b0;
      snan_x2_q <= 1'b0;
      inf_x2_q <= 1'b0;
      if (fraction_i) begin
        // 2 u + 1 - 2^n: the integer's upper bit decides the sign.
        doubled = width_i[1] ? {a_i[30:0], 1'b1} : {a_i[14:0], 1'b1, 16'b0};
        sign_x2_q <= width_i[1] ? !a_i[31] : !a_i[15];
        magnitude_q <= (width_i[1] ? a_i[31] : a_i[15]) ? doubled : -doubled;
        exponent_x2_q <= -10'sd2;
      end else if (width_i == 2'd0) begin
        f8_field = f8_e5_i ? a_i[6:2] : {1'b0, a_i[6:3]};
        sign_x2_q <= a_i[7];
        nan_x2_q <= a_i[7:0] == 8'h80;
        magnitude_q <= {f8_field != 5'd0, f8_e5_i ? {a_i[1:0], 1'b0} : a_i[2:0], 28'b0};
        exponent_x2_q <= $signed({5'b0, f8_field == 5'd0 ? 5'd1 : f8_field}) - (f8_e5_i ? 10'sd16 : 10'sd8) + scale;
      end else begin
        {a_nan, a_snan, a_inf, a_sign, a_exponent, a_significand} = fp_format::unpack(width_i == 2'd1, a_i);
        sign_x2_q <= a_sign;
        nan_x2_q <= a_nan;
        snan_x2_q <= a_snan;
        inf_x2_q <= a_inf;
        magnitude_q <= {a_significand, 8'b0};
        exponent_x2_q <= to_f8_i ? a_exponent - scale : a_exponent;
        if (to_f8_i) floor_q <= f8_e5_i ? -10'sd15 : -10'sd7;
      end
      f16_x2_q <= !(fraction_i & width_i[1]);
      to_f8_x2_q <= to_f8_i;
      f8_e5_x2_q <= f8_e5_i;
      stochastic_x2_q <= stochastic_i & width_i[1] & !fraction_i;
      rm_x2_q <= fraction_i ? fp_pkg::RM_RNE : rm_i;
      random_x2_q <= random_i;
    end
    valid_x2_q <= valid_i;
  end

  // X2
  logic [63:0] shifted_q;
  logic signed [9:0] exponent_m_q;
  logic sign_m_q, f16_m_q, to_f8_m_q, f8_e5_m_q, stochastic_m_q, nan_m_q, snan_m_q, inf_m_q;
  logic [ 2:0] rm_m_q;
  logic [15:0] random_m_q;
  logic valid_m_q;
  always_ff @(posedge clk_i) begin : align
    logic [63:0] wide;
    logic [6:0] zeros, left;
    logic signed [9:0] above;
    if (valid_x2_q) begin
      wide = {magnitude_q, 32'b0};
      above = exponent_x2_q - floor_q;
      if (above < 10'sd0) begin
        shifted_q <= fp_format::shift_right_sticky(wide, -above);
        exponent_m_q <= floor_q;
      end else begin
        zeros = fp_format::leading_zeros(wide);
        left = above > $signed({3'b0, zeros}) ? zeros : above[6:0];
        shifted_q <= left[6] ? 64'd0 : wide << left[5:0];
        exponent_m_q <= exponent_x2_q - $signed({3'b0, left});
      end
      sign_m_q <= sign_x2_q;
      f16_m_q <= f16_x2_q;
      to_f8_m_q <= to_f8_x2_q;
      f8_e5_m_q <= f8_e5_x2_q;
      stochastic_m_q <= stochastic_x2_q;
      nan_m_q <= nan_x2_q;
      snan_m_q <= snan_x2_q;
      inf_m_q <= inf_x2_q;
      rm_m_q <= rm_x2_q;
      random_m_q <= random_x2_q;
    end
    valid_m_q <= valid_x2_q;
  end

  // M, stochastic: sixteen bits of the fraction and the random ones carry into the magnitude.
  logic [19:0] stochastic_magnitude;
  logic [15:0] stochastic_result;
  logic carry, stochastic_overflow, stochastic_inexact;
  logic [9:0] half_biased;
  always_comb begin
    carry = 1'b0;
    half_biased = 10'd0;
    stochastic_magnitude = 20'd0;
    stochastic_overflow = 1'b0;
    stochastic_inexact = 1'b0;
    stochastic_result = 16'd0;
    if (valid_m_q && stochastic_m_q) begin
      carry = shifted_q[52:37] > ~random_m_q;  // their sum needs a 17th bit
      if (shifted_q[63]) half_biased = exponent_m_q + 10'sd15;
      stochastic_magnitude = {half_biased, shifted_q[62:53]} + {19'b0, carry};
      stochastic_overflow = stochastic_magnitude[19:10] >= 10'd31;
      stochastic_inexact = shifted_q[52:0] != 53'd0;
      stochastic_result = {sign_m_q, stochastic_magnitude[14:0]};
      if (stochastic_overflow) begin
        case (half_overflow_m_i)
          2'd0: stochastic_result = {sign_m_q, 15'h7c00};
          2'd1: stochastic_result = {sign_m_q, 15'h7bff};
          default: stochastic_result = 16'h7e00;
        endcase
      end
    end
  end

  // M, f8: rounded to the kept bits of the format, and for tininess to one bit more.
  logic [ 2:0] fraction;
  logic [ 9:0] f8_biased;
  logic [12:0] f8_magnitude;
  logic [ 7:0] f8_result;
  logic guard, next, rest, up, up_full, ones, f8_overflow, f8_tiny, f8_inexact;
  always_comb begin
    fraction = 3'd0;
    guard = 1'b0;
    next = 1'b0;
    rest = 1'b0;
    up = 1'b0;
    up_full = 1'b0;
    ones = 1'b0;
    f8_biased = 10'd0;
    f8_magnitude = 13'd0;
    f8_overflow = 1'b0;
    f8_tiny = 1'b0;
    f8_inexact = 1'b0;
    f8_result = 8'd0;
    if (valid_m_q && to_f8_m_q) begin
      if (f8_e5_m_q) begin
        fraction = {1'b0, shifted_q[62:61]};
        guard = shifted_q[60];
        next = shifted_q[59];
        rest = shifted_q[58:0] != 59'd0;
        ones = shifted_q[62:61] == 2'b11;
      end else begin
        fraction = shifted_q[62:60];
        guard = shifted_q[59];
        next = shifted_q[58];
        rest = shifted_q[57:0] != 58'd0;
        ones = shifted_q[62:60] == 3'b111;
      end
      f8_inexact = guard | next | rest;
      case (rm_m_q)
        fp_pkg::RM_RNE: begin
          up = guard & (next | rest | fraction[0]);
          up_full = next;
        end
        fp_pkg::RM_RDN: begin
          up = sign_m_q & f8_inexact;
          up_full = sign_m_q & (next | rest);
        end
        fp_pkg::RM_RUP: begin
          up = !sign_m_q & f8_inexact;
          up_full = !sign_m_q & (next | rest);
        end
        fp_pkg::RM_RMM: begin
          up = guard;
          up_full = next;
        end
        default: ;
      endcase
      if (shifted_q[63]) f8_biased = exponent_m_q + (f8_e5_m_q ? 10'sd16 : 10'sd8);
      if (f8_e5_m_q) f8_magnitude = {1'b0, f8_biased, fraction[1:0]} + {12'b0, up};
      else f8_magnitude = {f8_biased, fraction} + {12'b0, up};
      f8_overflow = !nan_m_q & !inf_m_q & (f8_magnitude > 13'h7f);
      f8_tiny = !shifted_q[63] & !(ones & guard & up_full);
      if (nan_m_q) f8_result = 8'h80;
      else if (inf_m_q || f8_overflow) f8_result = half_overflow_m_i[1] ? 8'h80 : {sign_m_q, 7'h7f};
      else if (f8_magnitude != 13'd0) f8_result = {sign_m_q, f8_magnitude[6:0]};
    end
  end

  always_comb begin
    special_result_o = 32'd0;
    special_flags_o = 5'd0;
    special_flags_o[fp_pkg::FLAG_NV] = snan_m_q;
    if (to_f8_m_q) begin
      special_result_o = {24'b0, f8_result};
      if (!nan_m_q && !inf_m_q) begin
        special_flags_o[fp_pkg::FLAG_OF] = f8_overflow;
        special_flags_o[fp_pkg::FLAG_UF] = f8_tiny & f8_inexact;
        special_flags_o[fp_pkg::FLAG_NX] = f8_inexact | f8_overflow;
      end
    end else if (nan_m_q) begin
      special_result_o = fp_format::canonical_nan(1'b1);
    end else if (inf_m_q) begin
      special_result_o = fp_format::signed_infinity(1'b1, sign_m_q);
    end else begin
      special_result_o = {16'b0, stochastic_result};
      special_flags_o[fp_pkg::FLAG_OF] = stochastic_overflow;
      special_flags_o[fp_pkg::FLAG_UF] = stochastic_inexact & !shifted_q[63];
      special_flags_o[fp_pkg::FLAG_NX] = stochastic_inexact | stochastic_overflow;
    end
  end

  assign valid_o = valid_m_q;
  assign f16_o = f16_m_q;
  assign rm_o = rm_m_q;
  assign sign_o = sign_m_q;
  assign exponent_o = exponent_m_q;
  assign significand_o = {shifted_q[63:38], shifted_q[37:0] != 38'd0};
  assign special_o = to_f8_m_q | stochastic_m_q | nan_m_q | inf_m_q;
endmodule
