// One of the sixteen units of the matrix engine: c + the sum of products of a step, exact, rounded once to f32.
//
//   X2  take the weight apart, multiply lane by lane, sum the products in two limbs
//   M   add c, normalise and round to nearest even
//
// f16: four products, f8: eight, each up to 24 bits shifted by up to 61, in units of 2^-48 (f8: times the scale). An
// f32 product is the sum of four products of halves, shifted by 24, 12, 12 and 0, in units of its last place. So all
// three are one integer T below 2^84, and c = significand * 2^distance in the same unit. Limb 0 sums the products
// shifted by less than 32, limb 1 the others; 64 bits hold each, so nothing is lost.
//
// All registers are on the engine's gated clock; a stage's logic works only while it holds an operation of this unit.
// Signs and limbs are chosen by masks: a simulator would guess such branches wrongly half the time.
module amp_unit (
    input  logic        clk_i,           // gated
    input  logic        valid_i,         // X2
    input  logic        f32_i,
    input  logic        f8_i,
    input  logic        f8_wide_i,       // format of the weight's f8
    input  logic [ 7:0] lanes_i,         // products that count; f32: 0f for lane 0 of x and weight, f0 for lane 1
    input  logic [ 9:0] unit_i,          // f16, f8: exponent of the products' unit plus 662
    input  logic [ 7:0] x_sign_i,        // the inputs, as amp_inputs gives them
    input  logic [19:0] x_shift_low_i,
    input  logic [19:0] x_shift_high_i,
    input  logic [47:0] x_low_i,
    input  logic [47:0] x_high_i,
    input  logic [15:0] x_exponent_i,
    input  logic        x_special_i,
    input  logic [ 7:0] x_nan_i,
    input  logic [ 7:0] x_snan_i,
    input  logic [ 7:0] x_inf_i,
    input  logic [ 7:0] x_zero_i,
    input  logic [63:0] w_i,
    input  logic [31:0] c_i,             // M
    output logic [31:0] result_o,
    output logic        invalid_o,
    output logic        overflow_o
);
  // X2: factors of the weight in lanes 0 to 3, of the inputs beside them, products.
  logic [17:0] w_0, w_1, w_2, w_3, w_factor, x_factor;
  logic [31:0] w_single;
  logic [23:0] w_significand;
  logic [63:0] limb_0_d, limb_1_d, term, nan_bytes;
  logic [23:0] product;
  logic [5:0] shift;
  logic [9:0] unit_d;
  logic all_negative_d, special_d, lane_on, negative_product;
  always_comb begin
    w_0 = 18'd0;
    w_1 = 18'd0;
    w_2 = 18'd0;
    w_3 = 18'd0;
    w_factor = 18'd0;
    x_factor = 18'd0;
    w_single = 32'd0;
    w_significand = 24'd0;
    limb_0_d = 64'd0;
    limb_1_d = 64'd0;
    term = 64'd0;
    nan_bytes = 64'd0;
    product = 24'd0;
    shift = 6'd0;
    unit_d = unit_i;
    all_negative_d = 1'b1;
    special_d = 1'b0;
    lane_on = 1'b0;
    negative_product = 1'b0;
    if (valid_i) begin
      if (f32_i) begin
        w_single = lanes_i[4] ? w_i[63:32] : w_i[31:0];
        w_significand = {w_single[30:23] != 8'd0, w_single[22:0]};
        w_0 = {w_single[31], 5'd12, w_significand[23:12]};
        w_1 = {w_single[31], 5'd0, w_significand[11:0]};
        w_2 = w_0;
        w_3 = w_1;
        unit_d = {2'b0, lanes_i[4] ? x_exponent_i[15:8] : x_exponent_i[7:0]} + 10'd362
                 + {2'b0, w_single[30:24], w_single[23] | (w_single[30:23] == 8'd0)};
        special_d = w_single[30:23] == 8'd255;
      end else if (f8_i) begin
        w_0 = amp_format::byte_factor(f8_wide_i, w_i[7:0]);
        w_1 = amp_format::byte_factor(f8_wide_i, w_i[15:8]);
        w_2 = amp_format::byte_factor(f8_wide_i, w_i[23:16]);
        w_3 = amp_format::byte_factor(f8_wide_i, w_i[31:24]);
        // A byte of 80, the NaN, becomes 0 in the difference and borrows into its own upper bit.
        nan_bytes = w_i ^ 64'h8080_8080_8080_8080;
        nan_bytes = (nan_bytes - 64'h0101_0101_0101_0101) & ~nan_bytes & 64'h8080_8080_8080_8080;
        special_d = nan_bytes != 64'd0;
      end else begin
        w_0 = amp_format::half_factor(w_i[15:0]);
        w_1 = amp_format::half_factor(w_i[31:16]);
        w_2 = amp_format::half_factor(w_i[47:32]);
        w_3 = amp_format::half_factor(w_i[63:48]);
        special_d = (w_i[14:10] == 5'd31) | (w_i[30:26] == 5'd31) | (w_i[46:42] == 5'd31) | (w_i[62:58] == 5'd31);
      end
      special_d = special_d | x_special_i;

      for (int i = 0; i < 4; i++) begin
        lane_on = f32_i | lanes_i[i];
        if (lane_on) begin
          if (f32_i && lanes_i[4]) x_factor = {x_sign_i[4], x_shift_high_i[5*i+:5], x_high_i[12*i+:12]};
          else x_factor = {x_sign_i[i], x_shift_low_i[5*i+:5], x_low_i[12*i+:12]};
          case (i)
            0: w_factor = w_0;
            1: w_factor = w_1;
            2: w_factor = w_2;
            default: w_factor = w_3;
          endcase
          product = {12'b0, x_factor[11:0]} * {12'b0, w_factor[11:0]};
          shift = {1'b0, x_factor[16:12]} + {1'b0, w_factor[16:12]};
          term = {40'b0, product} << shift[4:0];
          negative_product = x_factor[17] ^ w_factor[17];
          all_negative_d = all_negative_d & negative_product;
          term = (term ^ {64{negative_product}}) + {63'b0, negative_product};
          limb_0_d = limb_0_d + (term & ~{64{shift[5]}});
          limb_1_d = limb_1_d + (term & {64{shift[5]}});
        end
      end
      if (f8_i) begin
        for (int i = 0; i < 4; i++) begin
          x_factor = {x_sign_i[4+i], x_shift_high_i[5*i+:5], x_high_i[12*i+:12]};
          w_factor = amp_format::byte_factor(f8_wide_i, w_i[32+8*i+:8]);
          product = {12'b0, x_factor[11:0]} * {12'b0, w_factor[11:0]};
          shift = {1'b0, x_factor[16:12]} + {1'b0, w_factor[16:12]};
          term = {40'b0, product} << shift[4:0];
          negative_product = x_factor[17] ^ w_factor[17];
          all_negative_d = all_negative_d & negative_product;
          term = (term ^ {64{negative_product}}) + {63'b0, negative_product};
          limb_0_d = limb_0_d + (term & ~{64{shift[5]}});
          limb_1_d = limb_1_d + (term & {64{shift[5]}});
        end
      end
    end
  end

  logic nan_d, invalid_d, positive_d, negative_d;
  amp_special u_special (
      .valid_i   (special_d),
      .f32_i,
      .f8_i,
      .lanes_i,
      .x_sign_i,
      .x_nan_i,
      .x_snan_i,
      .x_inf_i,
      .x_zero_i,
      .w_i,
      .nan_o     (nan_d),
      .invalid_o (invalid_d),
      .positive_o(positive_d),
      .negative_o(negative_d)
  );

  logic [63:0] limb_0_q, limb_1_q;
  logic [9:0] unit_m_q;
  logic all_negative_q;
  logic [3:0] special_q;  // {NaN, invalid, +infinity, -infinity} among the products
  logic valid_m_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      limb_0_q <= limb_0_d;
      limb_1_q <= limb_1_d;
      unit_m_q <= unit_d;
      all_negative_q <= all_negative_d;
      special_q <= {nan_d, invalid_d, positive_d, negative_d};
    end
    valid_m_q <= valid_i;
  end

  // M
  logic [63:0] magnitude;
  logic [9:0] exponent;
  logic sign;
  amp_sum u_sum (
      .valid_i       (valid_m_q),
      .limb_0_i      (limb_0_q),
      .limb_1_i      (limb_1_q),
      .unit_i        (unit_m_q),
      .all_negative_i(all_negative_q),
      .c_i,
      .magnitude_o   (magnitude),
      .exponent_o    (exponent),
      .sign_o        (sign)
  );

  // NaN and infinity, c included.
  logic c_nan, positive, negative, nan;
  always_comb begin
    c_nan = 1'b0;
    positive = 1'b0;
    negative = 1'b0;
    nan = 1'b0;
    invalid_o = 1'b0;
    if (valid_m_q && (special_q != 4'd0 || c_i[30:23] == 8'd255)) begin
      c_nan = c_i[30:0] > 31'h7f80_0000;
      positive = special_q[1] | (c_i == 32'h7f80_0000);
      negative = special_q[0] | (c_i == 32'hff80_0000);
      nan = special_q[3] | special_q[2] | c_nan | (positive & negative);
      invalid_o = special_q[2] | (c_nan & !c_i[22]) | (positive & negative & !special_q[3] & !c_nan);
    end
  end

  amp_round u_round (
      .valid_i    (valid_m_q),
      .magnitude_i(magnitude),
      .exponent_i (exponent),
      .sign_i     (sign),
      .nan_i      (nan),
      .inf_i      (positive | negative),
      .inf_sign_i (negative),
      .result_o,
      .overflow_o
  );
endmodule
