// One of the sixteen units of the matrix engine: c + the sum of products of a step, exact, rounded once to f32.
//
//   X2  take the weight apart, multiply lane by lane, sum the products; put c where it meets their sum (amp_addend); see
//       NaN and infinity (amp_special)
//   M   add c (amp_sum), normalise and round to nearest even (amp_round)
//
// f16: four products, f8: eight, each up to 24 bits shifted by up to 61, in units of 2^-48 (f8: times the scale). An
// f32 product is the sum of four products of halves, shifted by 24, 12, 12 and 0, in units of its last place. So all
// three are one integer T below 2^84, and c = significand * 2^distance in the same unit. Products shifted by 32 or more
// are far and have a sum of their own, 32 places to the right: 64 bits hold each of the two.
//
// All registers are on the engine's gated clock; a stage's logic works only while it holds an operation of this unit.
//
// Written for the simulator's host, where sixteen units are most of the work of a step: signs and limbs are chosen by
// masks (a branch would be guessed wrongly half the time), functions are written out, X2 stands in the processes of its
// registers (nothing is stored between the two) and the inputs that differ by unit are kept as variables of the unit
// (public), so that one copy of the code serves all units.
(* simulation_speed *)
module amp_unit (
    input  logic        clk_i,           // gated
    input  logic        valid_i /*verilator public_flat_rd*/,  // X2
    input  logic        f32_i,
    input  logic        f8_i,
    input  logic        f8_wide_i,       // format of the weight's f8
    // Products that count; f32: 0f for lane 0 of x and weight, f0 for lane 1.
    input  logic [ 7:0] lanes_i /*verilator public_flat_rd*/,
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
    input  logic [63:0] w_i /*verilator public_flat_rd*/,
    input  logic [31:0] c_i /*verilator public_flat_rd*/,
    output logic [31:0] result_o,        // M
    output logic        invalid_o,
    output logic        overflow_o
);
  /*verilator no_inline_module*/

  // X2: the weight's factors (see amp_format) beside those of the inputs, lane by lane.
  logic [63:0] upper_q;
  logic [31:0] lower_q, c_q;
  logic all_negative_q, valid_m_q;
  always_ff @(posedge clk_i) begin : products
    logic [7:0] w_byte;
    logic [63:0] normals, significands;
    logic [31:0] w_single;
    logic [11:0] w_0, w_1, w_2, w_3, w_high, w_low, w_lane, x_lane;
    logic [4:0] w_shift_0, w_shift_1, w_shift_2, w_shift_3, w_shift_lane, x_shift;
    logic w_sign_0, w_sign_1, w_sign_2, w_sign_3, w_sign_lane;
    logic [63:0] sum_near, sum_far, high_near, high_far, term, far, flip;
    logic [3:0] negatives, x_signs, count;
    logic [23:0] product;
    logic [5:0] shift;
    logic [47:0] x;
    logic [19:0] x_shifts;
    logic positive, negative_product, normal, counts;
    w_byte = 8'd0;
    normals = 64'd0;
    significands = 64'd0;
    w_single = 32'd0;
    w_0 = 12'd0;
    w_1 = 12'd0;
    w_2 = 12'd0;
    w_3 = 12'd0;
    w_high = 12'd0;
    w_low = 12'd0;
    w_lane = 12'd0;
    x_lane = 12'd0;
    w_shift_0 = 5'd0;
    w_shift_1 = 5'd0;
    w_shift_2 = 5'd0;
    w_shift_3 = 5'd0;
    w_shift_lane = 5'd0;
    x_shift = 5'd0;
    w_sign_0 = 1'b0;
    w_sign_1 = 1'b0;
    w_sign_2 = 1'b0;
    w_sign_3 = 1'b0;
    w_sign_lane = 1'b0;
    sum_near = 64'd0;
    sum_far = 64'd0;
    high_near = 64'd0;
    high_far = 64'd0;
    term = 64'd0;
    far = 64'd0;
    flip = 64'd0;
    negatives = 4'd0;
    x_signs = 4'd0;
    count = 4'd0;
    product = 24'd0;
    shift = 6'd0;
    x = 48'd0;
    x_shifts = 20'd0;
    positive = 1'b0;
    negative_product = 1'b0;
    normal = 1'b0;
    counts = 1'b0;
    if (valid_i) begin
      x = x_low_i;
      x_shifts = x_shift_low_i;
      x_signs = x_sign_i[3:0];
      count = lanes_i[3:0];
      if (f32_i) begin
        w_single = w_i[31:0];
        count = 4'hf;
        if (lanes_i[4]) begin
          w_single = w_i[63:32];
          x = x_high_i;
          x_shifts = x_shift_high_i;
          x_signs = x_sign_i[7:4];
        end
        normal = w_single[30:23] != 8'd0;
        w_high = {normal, w_single[22:12]};
        w_low = w_single[11:0];
        w_0 = w_high;
        w_1 = w_low;
        w_2 = w_high;
        w_3 = w_low;
        w_shift_0 = 5'd12;
        w_shift_2 = 5'd12;
        w_sign_0 = w_single[31];
        w_sign_1 = w_single[31];
        w_sign_2 = w_single[31];
        w_sign_3 = w_single[31];
      end else if (f8_i) begin
        for (int i = 0; i < 4; i++) begin
          w_byte = w_i[8*i+:8];
          normal = f8_wide_i ? w_byte[6:2] != 5'd0 : w_byte[6:3] != 4'd0;
          w_lane = f8_wide_i ? {2'b0, normal, w_byte[1:0], 7'b0} : {1'b0, normal, w_byte[2:0], 7'b0};
          w_shift_lane = f8_wide_i ? w_byte[6:2] - {4'b0, normal} : {1'b0, w_byte[6:3]} + {4'b0, !normal} + 5'd6;
          w_sign_lane = w_byte[7];
          case (i)
            0: {w_sign_0, w_shift_0, w_0} = {w_sign_lane, w_shift_lane, w_lane};
            1: {w_sign_1, w_shift_1, w_1} = {w_sign_lane, w_shift_lane, w_lane};
            2: {w_sign_2, w_shift_2, w_2} = {w_sign_lane, w_shift_lane, w_lane};
            default: {w_sign_3, w_shift_3, w_3} = {w_sign_lane, w_shift_lane, w_lane};
          endcase
        end
      end else begin
        // A leading one where the exponent is not 0, of all halves at once.
        normals = (w_i | (w_i >> 1) | (w_i >> 2) | (w_i >> 3) | (w_i >> 4)) & 64'h0400_0400_0400_0400;
        significands = (w_i & 64'h03ff_03ff_03ff_03ff) | normals;
        for (int i = 0; i < 4; i++) begin
          w_lane = {1'b0, significands[16*i+:11]};
          w_shift_lane = w_i[16*i+10+:5] - {4'b0, normals[16*i+10]};
          w_sign_lane = w_i[16*i+15];
          case (i)
            0: {w_sign_0, w_shift_0, w_0} = {w_sign_lane, w_shift_lane, w_lane};
            1: {w_sign_1, w_shift_1, w_1} = {w_sign_lane, w_shift_lane, w_lane};
            2: {w_sign_2, w_shift_2, w_2} = {w_sign_lane, w_shift_lane, w_lane};
            default: {w_sign_3, w_shift_3, w_3} = {w_sign_lane, w_shift_lane, w_lane};
          endcase
        end
      end
      // A lane that does not count has a product of zero. A negative product is the complement here; what it lacks is
      // counted for all of them.
      for (int i = 0; i < 4; i++) begin
        counts = count[i];
        x_lane = x[12*i+:12];
        x_shift = x_shifts[5*i+:5];
        case (i)
          0: {w_sign_lane, w_shift_lane, w_lane} = {w_sign_0, w_shift_0, w_0};
          1: {w_sign_lane, w_shift_lane, w_lane} = {w_sign_1, w_shift_1, w_1};
          2: {w_sign_lane, w_shift_lane, w_lane} = {w_sign_2, w_shift_2, w_2};
          default: {w_sign_lane, w_shift_lane, w_lane} = {w_sign_3, w_shift_3, w_3};
        endcase
        negative_product = counts & (w_sign_lane ^ x_signs[i]);
        product = {12'b0, x_lane & {12{counts}}} * {12'b0, w_lane};
        shift = {1'b0, x_shift} + {1'b0, w_shift_lane};
        term = {40'b0, product} << shift[4:0];
        flip = {64{negative_product}};
        positive = positive | (counts ^ negative_product);
        far = term & {64{shift[5]}};
        sum_near = sum_near + (term ^ far ^ flip);
        sum_far = sum_far + (far ^ flip);
        negatives = negatives + {3'b0, negative_product};
      end
      if (f8_i) begin
        for (int i = 0; i < 4; i++) begin
          w_byte = w_i[32+8*i+:8];
          normal = f8_wide_i ? w_byte[6:2] != 5'd0 : w_byte[6:3] != 4'd0;
          w_lane = f8_wide_i ? {2'b0, normal, w_byte[1:0], 7'b0} : {1'b0, normal, w_byte[2:0], 7'b0};
          w_shift_lane = f8_wide_i ? w_byte[6:2] - {4'b0, normal} : {1'b0, w_byte[6:3]} + {4'b0, !normal} + 5'd6;
          negative_product = w_byte[7] ^ x_sign_i[4+i];
          product = {12'b0, x_high_i[12*i+:12]} * {12'b0, w_lane};
          shift = {1'b0, x_shift_high_i[5*i+:5]} + {1'b0, w_shift_lane};
          term = {40'b0, product} << shift[4:0];
          flip = {64{negative_product}};
          positive = positive | !negative_product;
          far = term & {64{shift[5]}};
          high_near = high_near + (term ^ far ^ flip);
          high_far = high_far + (far ^ flip);
          negatives = negatives + {3'b0, negative_product};
        end
      end
      sum_near = sum_near + high_near + {60'b0, negatives};
      lower_q <= sum_near[31:0];
      upper_q <= sum_far + high_far + {60'b0, negatives} + {{32{sum_near[63]}}, sum_near[63:32]};
      all_negative_q <= !positive;
      c_q <= c_i;
    end
    valid_m_q <= valid_i;
  end

  logic [3:0] special_q;  // {NaN, invalid, +infinity, -infinity} among the products
  amp_special u_special (
      .clk_i,
      .valid_i,
      .f32_i,
      .f8_i,
      .lanes_i,
      .x_special_i,
      .x_sign_i,
      .x_nan_i,
      .x_snan_i,
      .x_inf_i,
      .x_zero_i,
      .w_i,
      .special_o(special_q)
  );

  amp_format::meeting_e meeting_q;
  logic [63:0] addend_q;
  logic [9:0] exponent_q;
  logic sticky_q;
  amp_addend u_addend (
      .clk_i,
      .valid_i,
      .c_i,
      .f32_i,
      .upper_i   (lanes_i[4]),
      .unit_i,
      .x_exponent_i,
      .w_i,
      .meeting_o (meeting_q),
      .addend_o  (addend_q),
      .sticky_o  (sticky_q),
      .exponent_o(exponent_q)
  );

  // M
  logic [63:0] magnitude;
  logic [9:0] exponent;
  logic sign, only_c;
  amp_sum u_sum (
      .valid_i       (valid_m_q),
      .upper_i       (upper_q),
      .lower_i       (lower_q),
      .meeting_i     (meeting_q),
      .addend_i      (addend_q),
      .sticky_i      (sticky_q),
      .exponent_i    (exponent_q),
      .zero_sign_i   (c_q[31] & all_negative_q),
      .magnitude_o   (magnitude),
      .exponent_o    (exponent),
      .sign_o        (sign),
      .only_c_o      (only_c)
  );

  // NaN and infinity, c included.
  logic c_nan, positive, negative, nan;
  always_comb begin
    c_nan = 1'b0;
    positive = 1'b0;
    negative = 1'b0;
    nan = 1'b0;
    invalid_o = 1'b0;
    if (valid_m_q && (special_q != 4'd0 || c_q[30:23] == 8'd255)) begin
      c_nan = c_q[30:0] > 31'h7f80_0000;
      positive = special_q[1] | (c_q == 32'h7f80_0000);
      negative = special_q[0] | (c_q == 32'hff80_0000);
      nan = special_q[3] | special_q[2] | c_nan | (positive & negative);
      invalid_o = special_q[2] | (c_nan & !c_q[22]) | (positive & negative & !special_q[3] & !c_nan);
    end
  end

  amp_round u_round (
      .valid_i    (valid_m_q),
      .magnitude_i(magnitude),
      .exponent_i (exponent),
      .sign_i     (sign),
      .only_c_i   (only_c),
      .c_i        (c_q),
      .nan_i      (nan),
      .inf_i      (positive | negative),
      .inf_sign_i (negative),
      .result_o,
      .overflow_o
  );
endmodule
