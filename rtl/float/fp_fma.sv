// Fused multiply-add, f32 and f16 in one datapath: the product is exact, the sum is rounded once.
//
//   X1  unpack, multiply, find NaN and infinity
//   X2  align the smaller of product and addend to the larger in a 64-bit window (lost bits stay as a sticky bit), add
//   M   normalise; fpu rounds and packs
//
// The window needs no pre-normalised subnormals: where an operand with leading zeros makes the other one lose bits, the
// place of rounding is either above the lost bits by the 15 spare bits of the window, or fixed by the smallest
// exponent. A sum of two f16 is exact in the window, so that it may as well be rounded to f32. All registers are on a
// gated clock; the logic of X1 and X2 stands in their clocked blocks, under valid, so that an idle unit costs neither
// power nor simulation time.
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
  logic [47:0] product_q;
  logic [23:0] addend_q;
  logic signed [9:0] product_exponent_q, addend_exponent_q;
  logic product_sign_q, product_zero_q, addend_sign_q;
  logic fmt_x2_q, nan_x2_q, invalid_x2_q, inf_x2_q, inf_sign_x2_q;
  logic [2:0] rm_x2_q;
  logic valid_x2_q;
  always_ff @(posedge clk_i) begin : multiply
    logic a_nan, a_snan, a_inf, a_sign, b_nan, b_snan, b_inf, b_sign, c_nan, c_snan, c_inf, c_sign;
    logic signed [9:0] a_exponent, b_exponent, c_exponent;
    logic [23:0] a_significand, b_significand, c_significand;
    logic [31:0] second, third;
    logic product_sign, addend_sign, product_inf, product_zero, invalid;
    if (valid_i) begin
      second = b_i;
      third = c_i;
      case ({2'b00, op_i})
        fp_pkg::OP_FADD, fp_pkg::OP_FSUB: begin
          second = fmt_i ? 32'h0000_3c00 : 32'h3f80_0000;  // one
          third = b_i;
        end
        fp_pkg::OP_FMUL: third = 32'd0;
        default: ;
      endcase
      {a_nan, a_snan, a_inf, a_sign, a_exponent, a_significand} = fp_format::unpack(fmt_i, a_i);
      {b_nan, b_snan, b_inf, b_sign, b_exponent, b_significand} = fp_format::unpack(fmt_i, second);
      {c_nan, c_snan, c_inf, c_sign, c_exponent, c_significand} = fp_format::unpack(fmt_i, third);
      product_sign = a_sign ^ b_sign;
      addend_sign = c_sign;
      case ({2'b00, op_i})
        fp_pkg::OP_FMUL: addend_sign = product_sign;
        fp_pkg::OP_FSUB, fp_pkg::OP_FMSUB: addend_sign = !c_sign;
        fp_pkg::OP_FNMSUB: product_sign = !(a_sign ^ b_sign);
        fp_pkg::OP_FNMADD: begin
          product_sign = !(a_sign ^ b_sign);
          addend_sign = !c_sign;
        end
        default: ;
      endcase
      product_inf = a_inf | b_inf;
      product_zero = a_significand == 24'd0 || b_significand == 24'd0;
      invalid = a_snan | b_snan | c_snan | (product_inf & product_zero)
                | (product_inf & c_inf & (product_sign != addend_sign) & !(a_nan | b_nan));

      product_q <= {24'b0, a_significand} * {24'b0, b_significand};
      addend_q <= c_significand;
      product_exponent_q <= a_exponent + b_exponent;
      addend_exponent_q <= c_exponent;
      product_sign_q <= product_sign;
      product_zero_q <= product_zero;
      addend_sign_q <= addend_sign;
      fmt_x2_q <= result_fmt_i;
      rm_x2_q <= rm_i;
      nan_x2_q <= a_nan | b_nan | c_nan | invalid;
      invalid_x2_q <= invalid;
      inf_x2_q <= product_inf | c_inf;
      inf_sign_x2_q <= product_inf ? product_sign : addend_sign;
    end
    valid_x2_q <= valid_i;
  end

  // X2. Bit 62 of the window has the weight 2^exponent; bit 63 takes the carry.
  logic [63:0] magnitude_q;
  logic signed [9:0] exponent_q;
  logic sign_q, fmt_m_q, nan_m_q, invalid_m_q, inf_m_q, inf_sign_m_q;
  logic [2:0] rm_m_q;
  logic valid_m_q;
  always_ff @(posedge clk_i) begin : add
    logic signed [9:0] ahead;  // exponent of the product's upper bit less that of the addend
    logic [63:0] larger, smaller, total;
    logic [9:0] distance;
    logic product_leads, subtract, negative;
    if (valid_x2_q) begin
      ahead = product_exponent_q + 10'sd1 - addend_exponent_q;
      product_leads = ahead >= 10'sd0 && !product_zero_q;
      if (product_leads) begin
        larger = {1'b0, product_q, 15'b0};
        smaller = {1'b0, addend_q, 39'b0};
        distance = ahead;
        exponent_q <= product_exponent_q + 10'sd1;
      end else begin
        larger = {1'b0, addend_q, 39'b0};
        smaller = {1'b0, product_q, 15'b0};
        distance = -ahead;
        exponent_q <= addend_exponent_q;
      end
      smaller = fp_format::shift_right_sticky(smaller, distance);
      subtract = product_sign_q != addend_sign_q;
      total = subtract ? larger - smaller : larger + smaller;
      negative = subtract & total[63];
      magnitude_q <= negative ? -total : total;
      // The sign of the larger term; an exact difference of zero is negative only when rounding down.
      if (subtract && total == 64'd0) sign_q <= rm_x2_q == fp_pkg::RM_RDN;
      else if (product_leads) sign_q <= product_sign_q ^ negative;
      else sign_q <= addend_sign_q ^ negative;
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
