// One lane of special_unit: stages 1 to 8. What enters in X1 of a pass (stage 0, in special_unit) leaves in M of the
// next one (stage 8). A lane takes an operand in every cycle; a stage that holds none does nothing.
module special_lane (
    input  logic        clk_i,       // gated
    input  logic [ 7:0] stage_i,     // stages 8:1 that hold an operand
    input  logic [ 3:0] function_i,  // stage 1; special_plan
    input  logic        f16_i,
    input  logic [31:0] x_i,         // f32, f16 in the low half, or the random bits of a Gauss
    input  logic [31:0] other_i,     // value_o of the other lane
    output logic [31:0] value_o,     // what the tables gave for the operand in stage 6
    output logic [31:0] result_o,    // stage 8; f16: upper half zero
    output logic [ 4:0] flags_o      // stage 8; zero when that is empty
);
  special_plan::tag_t tag_2, tag_3, tag_6;
  logic [3:0] function_2;
  logic [31:0] raw;
  logic [23:0] significand;
  logic [63:0] product;
  logic [10:0] index;
  logic [24:0] place;
  logic [31:0] factor_3, factor_6;
  logic by_other_3, by_other_6, subtract_3, subtract_6, sign_2, sign_3, sign_6, one, natural;
  logic [5:0] shift_3, shift_6;
  logic signed [9:0] exponent_2, exponent_3, exponent_6;
  logic signed [8:0] steps;
  logic signed [63:0] addend;

  special_reduce u_reduce (
      .clk_i,
      .valid_i      (stage_i[0]),
      .function_i,
      .f16_i,
      .x_i,
      .tag_o        (tag_2),
      .function_o   (function_2),
      .raw_o        (raw),
      .significand_o(significand),
      .exponent_o   (exponent_2),
      .sign_o       (sign_2),
      .product_o    (product)
  );

  special_choose u_choose (
      .clk_i,
      .valid_i      (stage_i[1]),
      .tag_i        (tag_2),
      .function_i   (function_2),
      .raw_i        (raw),
      .significand_i(significand),
      .exponent_i   (exponent_2),
      .sign_i       (sign_2),
      .product_i    (product),
      .tag_o     (tag_3),
      .index_o   (index),
      .place_o   (place),
      .factor_o  (factor_3),
      .by_other_o(by_other_3),
      .shift_o   (shift_3),
      .exponent_o(exponent_3),
      .subtract_o(subtract_3),
      .sign_o    (sign_3),
      .one_o     (one),
      .steps_o   (steps),
      .natural_o (natural)
  );

  special_evaluate u_evaluate (
      .clk_i,
      .stage_i   (stage_i[4:2]),
      .tag_i     (tag_3),
      .index_i   (index),
      .place_i   (place),
      .factor_i  (factor_3),
      .by_other_i(by_other_3),
      .shift_i   (shift_3),
      .exponent_i(exponent_3),
      .subtract_i(subtract_3),
      .sign_i    (sign_3),
      .one_i     (one),
      .steps_i   (steps),
      .natural_i (natural),
      .tag_o     (tag_6),
      .value_o,
      .factor_o  (factor_6),
      .by_other_o(by_other_6),
      .shift_o   (shift_6),
      .exponent_o(exponent_6),
      .subtract_o(subtract_6),
      .sign_o    (sign_6),
      .addend_o  (addend)
  );

  special_finish u_finish (
      .clk_i,
      .stage_i   (stage_i[7:5]),
      .tag_i     (tag_6),
      .value_i   (value_o),
      .factor_i  (factor_6),
      .by_other_i(by_other_6),
      .other_i,
      .shift_i   (shift_6),
      .exponent_i(exponent_6),
      .subtract_i(subtract_6),
      .sign_i    (sign_6),
      .addend_i  (addend),
      .result_o,
      .flags_o
  );
endmodule
