// Number format shared by the floating-point units: one wide enough for f16 and f32 alike.
//
// An unpacked number is sign, exponent and a 24-bit significand: value = significand / 2^23 * 2^exponent. The
// significand of an f16 stands in the upper 11 bits. A subnormal keeps its leading zeros and has the smallest normal
// exponent. Only a zero has the significand 0. NaN and infinity are told by their bits; their exponent means nothing.
package fp_format;
  typedef struct packed {
    logic nan;
    logic snan;
    logic inf;
    logic sign;
    logic signed [9:0] exponent;
    logic [23:0] significand;
  } number_t;

  // Exponent of the smallest normal number.
  function automatic logic signed [9:0] exponent_min(input logic f16);
    exponent_min = f16 ? -10'sd14 : -10'sd126;
  endfunction

  // Returns a number_t; of an f16 the low 16 bits of x are read.
  function automatic logic [37:0] unpack(input logic f16, input logic [31:0] x);
    logic sign, top, full, empty, nan;
    logic signed [9:0] exponent;
    logic [22:0] fraction;
    sign = f16 ? x[15] : x[31];
    fraction = f16 ? {x[9:0], 13'b0} : x[22:0];
    empty = f16 ? x[14:10] == 5'd0 : x[30:23] == 8'd0;
    full = f16 ? x[14:10] == 5'd31 : x[30:23] == 8'd255;
    top = !empty;
    exponent = f16 ? $signed({5'b0, x[14:10]}) - 10'sd15 : $signed({2'b0, x[30:23]}) - 10'sd127;
    if (empty) exponent = exponent + 10'sd1;
    nan = full & (fraction != 23'd0);
    unpack = {
      nan,
      nan & !fraction[22],
      full & (fraction == 23'd0),
      sign,
      exponent,
      top,
      fraction
    };
  endfunction

  function automatic logic [31:0] canonical_nan(input logic f16);
    canonical_nan = f16 ? 32'h0000_7e00 : 32'h7fc0_0000;
  endfunction

  function automatic logic [31:0] signed_zero(input logic f16, input logic sign);
    signed_zero = f16 ? {16'b0, sign, 15'b0} : {sign, 31'b0};
  endfunction

  function automatic logic [31:0] signed_infinity(input logic f16, input logic sign);
    signed_infinity = f16 ? {16'b0, sign, 15'h7c00} : {sign, 31'h7f80_0000};
  endfunction

  // Number of leading zeros, 0 to 64.
  function automatic logic [6:0] leading_zeros(input logic [63:0] x);
    logic [63:0] v;
    logic [ 5:0] n;
    v = x;
    n = 6'd0;
    if (v[63:32] == 32'd0) begin
      n[5] = 1'b1;
      v = {v[31:0], 32'b0};
    end
    if (v[63:48] == 16'd0) begin
      n[4] = 1'b1;
      v = {v[47:0], 16'b0};
    end
    if (v[63:56] == 8'd0) begin
      n[3] = 1'b1;
      v = {v[55:0], 8'b0};
    end
    if (v[63:60] == 4'd0) begin
      n[2] = 1'b1;
      v = {v[59:0], 4'b0};
    end
    if (v[63:62] == 2'd0) begin
      n[1] = 1'b1;
      v = {v[61:0], 2'b0};
    end
    n[0] = !v[63];
    leading_zeros = x == 64'd0 ? 7'd64 : {1'b0, n};
  endfunction

  // x >> amount, where bit 0 of the result also tells whether a 1 was shifted out.
  function automatic logic [63:0] shift_right_sticky(input logic [63:0] x, input logic [9:0] amount);
    logic [63:0] kept;
    if (amount >= 10'd64) begin
      shift_right_sticky = {63'b0, x != 64'd0};
    end else begin
      kept = x >> amount[5:0];
      shift_right_sticky = {kept[63:1], kept[0] | ((kept << amount[5:0]) != x)};
    end
  endfunction
endpackage
