// Fused multiply-add, f32 and f16 in one datapath: the product is exact, the sum is rounded once.
//
//   X1  unpack, multiply, find NaN and infinity
//   X2  align the smaller of product and addend to the larger in a 64-bit window (lost bits stay as a sticky bit), add
//   M   normalise; fpu rounds and packs
//
// The window needs no pre-normalised subnormals: where an operand with leading zeros makes the other one lose bits, the
// place of rounding is either above the lost bits by the 15 spare bits of the window, or fixed by the smallest
// exponent. A sum of two f16 is exact in the window, so that it may as well be rounded to f32. All registers are on a
// gated clock; the logic of a stage works only while the stage holds an operation of this unit.
module fp_fma (
    input  logic               clk_i,           // gated
    input  logic               valid_i,
    input  logic        [ 2:0] op_i,            // low bits of fp_pkg::OP_FADD to OP_FNMADD
    input  logic               fmt_i,           // of the operands
    input  logic               result_fmt_i,    // the same, or f32 for a sum of two f16
    input  logic        [ 2:0] rm_i,
    input  logic        [31:0] a_i,
    input  logic        [31:0] b_i,
    input  logic        [31:0] c_i,
    output logic               valid_o,         // M holds an operation of this unit
    output logic               f16_o,           // a result to be rounded, as fp_round takes it
    output logic        [ 2:0] rm_o,
    output logic               sign_o,
    output logic signed [ 9:0] exponent_o,
    output logic        [26:0] significand_o,
    output logic               special_o,       // the result is NaN or infinity instead:
    output logic        [31:0] special_result_o,
    output logic        [ 4:0] special_flags_o
);
  // X1
  fp_format::number_t a, b, c;
  logic [47:0] product_d;
  logic signed [9:0] product_exponent_d;
  logic product_sign_d, product_zero_d, addend_sign_d, product_inf, invalid;
  logic nan_d, invalid_d, inf_d, inf_sign_d;

  // Under valid_i, so that an idle unit costs a simulation one test.
  always_comb begin
    a = '0;
    b = '0;
    c = '0;
    product_d = 48'd0;
    product_exponent_d = 10'sd0;
    product_sign_d = 1'b0;
    product_zero_d = 1'b0;
    addend_sign_d = 1'b0;
    product_inf = 1'b0;
    invalid = 1'b0;
    nan_d = 1'b0;
    invalid_d = 1'b0;
    inf_d = 1'b0;
    inf_sign_d = 1'b0;
    if (valid_i) begin
      a = fp_format::unpack(fmt_i, a_i);
      b = fp_format::unpack(fmt_i, b_i);
      c = fp_format::unpack(fmt_i, c_i);
      case ({2'b00, op_i})
        fp_pkg::OP_FADD, fp_pkg::OP_FSUB: begin
          c = b;
          b = fp_format::unpack(fp_pkg::FMT_F32, 32'h3f80_0000);
        end
        fp_pkg::OP_FMUL: c = '0;
        default: ;
      endcase
      product_sign_d = a.sign ^ b.sign;
      addend_sign_d = c.sign;
      case ({2'b00, op_i})
        fp_pkg::OP_FMUL: addend_sign_d = product_sign_d;
        fp_pkg::OP_FSUB, fp_pkg::OP_FMSUB: addend_sign_d = !c.sign;
        fp_pkg::OP_FNMSUB: product_sign_d = !(a.sign ^ b.sign);
        fp_pkg::OP_FNMADD: begin
          product_sign_d = !(a.sign ^ b.sign);
          addend_sign_d = !c.sign;
        end
        default: ;
      endcase
      // The zero addend of a multiplication has the smallest exponent, like any zero.
      if ({2'b00, op_i} == fp_pkg::OP_FMUL) c.exponent = fp_format::exponent_min(fmt_i);

      product_inf = a.inf | b.inf;
      product_zero_d = a.significand == 24'd0 || b.significand == 24'd0;
      invalid = a.snan | b.snan | c.snan | (product_inf & product_zero_d);
      invalid_d = invalid
                  | (product_inf & c.inf & (product_sign_d != addend_sign_d) & !(a.nan | b.nan));
      nan_d = a.nan | b.nan | c.nan | invalid_d;
      inf_d = product_inf | c.inf;
      inf_sign_d = product_inf ? product_sign_d : addend_sign_d;

      product_d = {24'b0, a.significand} * {24'b0, b.significand};
      product_exponent_d = a.exponent + b.exponent;
    end
  end

  logic [47:0] product_q;
  logic [23:0] addend_q;
  logic signed [9:0] product_exponent_q, addend_exponent_q;
  logic product_sign_q, product_zero_q, addend_sign_q;
  logic fmt_x2_q, nan_x2_q, invalid_x2_q, inf_x2_q, inf_sign_x2_q;
  logic [2:0] rm_x2_q;
  logic valid_x2_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      product_q <= product_d;
      addend_q <= c.significand;
      product_exponent_q <= product_exponent_d;
      addend_exponent_q <= c.exponent;
      product_sign_q <= product_sign_d;
      product_zero_q <= product_zero_d;
      addend_sign_q <= addend_sign_d;
      fmt_x2_q <= result_fmt_i;
      rm_x2_q <= rm_i;
      nan_x2_q <= nan_d;
      invalid_x2_q <= invalid_d;
      inf_x2_q <= inf_d;
      inf_sign_x2_q <= inf_sign_d;
    end
    valid_x2_q <= valid_i;
  end

  // X2. Bit 62 of the window has the weight 2^exponent; bit 63 takes the carry.
  logic signed [9:0] ahead;  // exponent of the product's upper bit less that of the addend
  logic [63:0] larger, smaller, total, magnitude_d;
  logic [9:0] distance;
  logic signed [9:0] exponent_d;
  logic subtract, negative, sign_d;
  always_comb begin
    ahead = 10'sd0;
    larger = 64'd0;
    smaller = 64'd0;
    distance = 10'd0;
    exponent_d = 10'sd0;
    subtract = 1'b0;
    total = 64'd0;
    negative = 1'b0;
    magnitude_d = 64'd0;
    sign_d = 1'b0;
    if (valid_x2_q) begin
      ahead = product_exponent_q + 10'sd1 - addend_exponent_q;
      if (ahead >= 10'sd0 && !product_zero_q) begin
        larger = {1'b0, product_q, 15'b0};
        smaller = {1'b0, addend_q, 39'b0};
        distance = ahead;
        exponent_d = product_exponent_q + 10'sd1;
      end else begin
        larger = {1'b0, addend_q, 39'b0};
        smaller = {1'b0, product_q, 15'b0};
        distance = -ahead;
        exponent_d = addend_exponent_q;
      end
      smaller = fp_format::shift_right_sticky(smaller, distance);
      subtract = product_sign_q != addend_sign_q;
      total = subtract ? larger - smaller : larger + smaller;
      negative = subtract & total[63];
      magnitude_d = negative ? -total : total;
      // The sign of the larger term; an exact difference of zero is negative only when rounding down.
      if (subtract && total == 64'd0) sign_d = rm_x2_q == fp_pkg::RM_RDN;
      else if (ahead >= 10'sd0 && !product_zero_q) sign_d = product_sign_q ^ negative;
      else sign_d = addend_sign_q ^ negative;
    end
  end

  logic [63:0] magnitude_q;
  logic signed [9:0] exponent_q;
  logic sign_q, fmt_m_q, nan_m_q, invalid_m_q, inf_m_q, inf_sign_m_q;
  logic [2:0] rm_m_q;
  logic valid_m_q;
  always_ff @(posedge clk_i) begin
    if (valid_x2_q) begin
      magnitude_q <= magnitude_d;
      exponent_q <= exponent_d;
      sign_q <= sign_d;
      fmt_m_q <= fmt_x2_q;
      rm_m_q <= rm_x2_q;
      nan_m_q <= nan_x2_q;
      invalid_m_q <= invalid_x2_q;
      inf_m_q <= inf_x2_q;
      inf_sign_m_q <= inf_sign_x2_q;
    end
    valid_m_q <= valid_x2_q;
  end

  // M. The exponent of bit 63 is at least one above the smallest, because the addend's is at least that.
  logic [63:0] normal;
  logic [6:0] zeros;
  logic signed [9:0] headroom, shift;
  always_comb begin
    zeros = 7'd0;
    headroom = 10'sd0;
    shift = 10'sd0;
    normal = 64'd0;
    special_result_o = 32'd0;
    special_flags_o = 5'd0;
    if (valid_m_q) begin
      zeros = fp_format::leading_zeros(magnitude_q);
      headroom = exponent_q + 10'sd1 - fp_format::exponent_min(fmt_m_q);
      shift = headroom > $signed({3'b0, zeros}) ? $signed({3'b0, zeros}) : headroom;
      normal = shift[6] ? 64'd0 : magnitude_q << shift[5:0];
      if (nan_m_q) begin
        special_result_o = fp_format::canonical_nan(fmt_m_q);
        special_flags_o[fp_pkg::FLAG_NV] = invalid_m_q;
      end else begin
        special_result_o = fp_format::signed_infinity(fmt_m_q, inf_sign_m_q);
      end
    end
  end

  assign valid_o = valid_m_q;
  assign f16_o = fmt_m_q;
  assign rm_o = rm_m_q;
  assign sign_o = sign_q;
  assign exponent_o = exponent_q + 10'sd1 - shift;
  assign significand_o = {normal[63:38], normal[37:0] != 38'd0};
  assign special_o = nan_m_q | inf_m_q;
endmodule
