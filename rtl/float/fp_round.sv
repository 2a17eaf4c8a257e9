// Rounds a finite result to f32 or f16 and packs it, with the flags OF, UF and NX. Combinational.
//
// The value is significand / 2^26 * 2^exponent. Bit 26 is set, or exponent is the smallest normal one (a subnormal), or
// the significand is zero. Bit 0 stands for itself or any lower bits (sticky). Tininess is detected after rounding: a
// subnormal does not underflow when rounding it to full precision with an unbounded exponent reaches the smallest
// normal.
module fp_round (
    input  logic               f16_i,
    input  logic        [ 2:0] rm_i,
    input  logic               sign_i,
    input  logic signed [ 9:0] exponent_i,
    input  logic        [26:0] significand_i,
    output logic        [31:0] result_o,
    output logic        [ 4:0] flags_o
);
  // Kept bits, and the two bits below them with the sticky rest.
  logic [22:0] fraction;
  logic guard, next, rest;
  always_comb begin
    if (f16_i) begin
      fraction = {13'b0, significand_i[25:16]};
      guard = significand_i[15];
      next = significand_i[14];
      rest = significand_i[13:0] != 14'd0;
    end else begin
      fraction = significand_i[25:3];
      guard = significand_i[2];
      next = significand_i[1];
      rest = significand_i[0];
    end
  end

  // Round up the magnitude? For the kept bits, and for the same value with one bit more (full precision of a subnormal
  // that is all ones).
  logic up, up_full, to_infinity, inexact;
  always_comb begin
    inexact = guard | next | rest;
    case (rm_i)
      fp_pkg::RM_RNE: begin
        up = guard & (next | rest | fraction[0]);
        up_full = next;
        to_infinity = 1'b1;
      end
      fp_pkg::RM_RDN: begin
        up = sign_i & inexact;
        up_full = sign_i & (next | rest);
        to_infinity = sign_i;
      end
      fp_pkg::RM_RUP: begin
        up = !sign_i & inexact;
        up_full = !sign_i & (next | rest);
        to_infinity = !sign_i;
      end
      fp_pkg::RM_RMM: begin
        up = guard;
        up_full = next;
        to_infinity = 1'b1;
      end
      default: begin
        up = 1'b0;
        up_full = 1'b0;
        to_infinity = 1'b0;
      end
    endcase
  end

  // Exponent field and fraction are incremented as one number: a carry out of the fraction raises the exponent.
  logic [ 9:0] biased;
  logic [32:0] magnitude;
  logic normal, ones, tiny, overflow;
  always_comb begin
    normal = significand_i[26];
    if (!normal) biased = 10'd0;
    else if (f16_i) biased = exponent_i + 10'd15;
    else biased = exponent_i + 10'd127;
    if (f16_i) begin
      magnitude = {13'b0, biased, fraction[9:0]} + {32'b0, up};
      overflow = magnitude[19:10] >= 10'd31;
      ones = fraction[9:0] == 10'h3ff;
    end else begin
      magnitude = {biased, fraction} + {32'b0, up};
      overflow = magnitude[32:23] >= 10'd255;
      ones = fraction == 23'h7fffff;
    end
    tiny = !normal & !(ones & guard & up_full);

    if (f16_i) begin
      if (overflow) result_o = {16'b0, sign_i, to_infinity ? 15'h7c00 : 15'h7bff};
      else result_o = {16'b0, sign_i, magnitude[14:0]};
    end else begin
      if (overflow) result_o = {sign_i, to_infinity ? 31'h7f80_0000 : 31'h7f7f_ffff};
      else result_o = {sign_i, magnitude[30:0]};
    end

    flags_o = 5'd0;
    flags_o[fp_pkg::FLAG_OF] = overflow;
    flags_o[fp_pkg::FLAG_UF] = tiny & inexact;
    flags_o[fp_pkg::FLAG_NX] = inexact | overflow;
  end
endmodule
