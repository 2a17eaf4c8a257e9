// Stages 3 to 5 of a lane of special_unit: the piecewise quadratic, value = c0 + (c1 + c2 t) t in units of 2^-31, and
// the addend of the finish; what the finish needs besides travels along.
module special_evaluate (
    input  logic                     clk_i,       // gated
    input  logic              [ 2:0] stage_i,     // stages 5:3 that hold an operand
    input  special_plan::tag_t       tag_i,       // as special_choose gives them
    input  logic              [10:0] index_i,
    input  logic              [24:0] place_i,
    input  logic              [31:0] factor_i,
    input  logic                     by_other_i,
    input  logic              [ 5:0] shift_i,
    input  logic signed       [ 9:0] exponent_i,
    input  logic                     subtract_i,
    input  logic                     sign_i,
    input  logic                     one_i,
    input  logic signed       [ 8:0] steps_i,
    input  logic                     natural_i,
    output special_plan::tag_t       tag_o,
    output logic              [31:0] value_o,
    output logic              [31:0] factor_o,
    output logic                     by_other_o,
    output logic              [ 5:0] shift_o,
    output logic signed       [ 9:0] exponent_o,
    output logic                     subtract_o,
    output logic                     sign_o,
    output logic signed       [63:0] addend_o
);
  // Stage 3: the segment's coefficients.
  logic [31:0] c0_d;
  logic [45:0] rise_d;
  special_table u_table (
      .index_i,
      .constant_o(c0_d),
      .rise_o    (rise_d)
  );

  special_plan::tag_t tag_4_q, tag_5_q;
  logic [31:0] c0_4_q, c0_5_q;
  logic [45:0] rise_q;
  logic [24:0] place_4_q, place_5_q;
  logic [31:0] factor_4_q, factor_5_q;
  logic by_other_4_q, by_other_5_q, subtract_4_q, subtract_5_q, sign_4_q, sign_5_q, one_q, natural_q;
  logic [5:0] shift_4_q, shift_5_q;
  logic signed [9:0] exponent_4_q, exponent_5_q;
  logic signed [8:0] steps_q;
  always_ff @(posedge clk_i) begin
    if (stage_i[0]) begin
      tag_4_q <= tag_i;
      c0_4_q <= c0_d;
      rise_q <= rise_d;
      place_4_q <= place_i;
      factor_4_q <= factor_i;
      by_other_4_q <= by_other_i;
      shift_4_q <= shift_i;
      exponent_4_q <= exponent_i;
      subtract_4_q <= subtract_i;
      sign_4_q <= sign_i;
      one_q <= one_i;
      steps_q <= steps_i;
      natural_q <= natural_i;
    end
  end

  // Stage 4: slope at the place, and the addend: steps of ln 2 or 1 in units of 2^-55, or 1 in units of 2^-62.
  logic signed [45:0] curved;
  logic signed [26:0] slope_d;
  logic signed [63:0] addend_d;
  always_comb begin
    curved = 46'sd0;
    slope_d = 27'sd0;
    addend_d = 64'sd0;
    if (stage_i[1]) begin
      curved = $signed({{26{rise_q[19]}}, rise_q[19:0]}) * $signed({21'b0, place_4_q});
      slope_d = $signed({rise_q[45], rise_q[45:20]}) + $signed({{6{curved[45]}}, curved[45:25]});
      if (one_q) addend_d = 64'sh4000_0000_0000_0000;
      else if (natural_q) addend_d = $signed({{55{steps_q[8]}}, steps_q}) * $signed(special_pkg::LN2);
      else addend_d = {steps_q, 55'b0};
    end
  end

  logic signed [26:0] slope_q;
  logic signed [63:0] addend_q;
  always_ff @(posedge clk_i) begin
    if (stage_i[1]) begin
      tag_5_q <= tag_4_q;
      c0_5_q <= c0_4_q;
      place_5_q <= place_4_q;
      factor_5_q <= factor_4_q;
      by_other_5_q <= by_other_4_q;
      shift_5_q <= shift_4_q;
      exponent_5_q <= exponent_4_q;
      subtract_5_q <= subtract_4_q;
      sign_5_q <= sign_4_q;
      slope_q <= slope_d;
      addend_q <= addend_d;
    end
  end

  // Stage 5. The tables are made so that the value has 32 bits.
  logic signed [52:0] risen;
  logic [31:0] value_d;
  always_comb begin
    risen = 53'sd0;
    value_d = 32'd0;
    if (stage_i[2]) begin
      risen = $signed({{26{slope_q[26]}}, slope_q}) * $signed({28'b0, place_5_q});
      value_d = c0_5_q + {{4{risen[52]}}, risen[52:25]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (stage_i[2]) begin
      tag_o <= tag_5_q;
      value_o <= value_d;
      factor_o <= factor_5_q;
      by_other_o <= by_other_5_q;
      shift_o <= shift_5_q;
      exponent_o <= exponent_5_q;
      subtract_o <= subtract_5_q;
      sign_o <= sign_5_q;
      addend_o <= addend_q;
    end
  end

  // Bits below a unit.
  logic unused;
  assign unused = ^{curved[24:0], risen[24:0]};
endmodule
