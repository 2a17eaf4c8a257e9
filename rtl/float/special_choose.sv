// Stage 2 of a lane of special_unit: the place in a table and what is to be done with the table's value there.
//
// The result is (addend +- (factor * table value >> shift)) / 2^62 * 2^exponent; table value and factor are in units of
// 2^-31. The addend is 1, or steps * unit for a logarithm. docs/reference/special.md has a line for each function.
module special_choose (
    input  logic                     clk_i,          // gated
    input  logic                     valid_i,        // the stage holds an operand
    input  special_plan::tag_t       tag_i,          // as special_reduce gives them
    input  logic              [ 3:0] function_i,
    input  logic              [31:0] raw_i,
    input  logic              [23:0] significand_i,
    input  logic signed       [ 9:0] exponent_i,
    input  logic                     sign_i,
    input  logic              [63:0] product_i,
    output special_plan::tag_t       tag_o,
    output logic              [10:0] index_o,        // table and segment
    output logic              [24:0] place_o,        // in the segment
    output logic              [31:0] factor_o,
    output logic                     by_other_o,     // the factor comes from the other lane instead
    output logic              [ 5:0] shift_o,
    output logic signed       [ 9:0] exponent_o,
    output logic                     subtract_o,
    output logic                     sign_o,
    output logic                     one_o,          // the addend is 1
    output logic signed       [ 8:0] steps_o,        // addend of a logarithm
    output logic                     natural_o       // unit of steps: ln 2 or 1
);
  logic is_tanh, is_sigmoid, is_exp, halved, odd;
  logic [22:0] fraction;
  logic [23:0] distance;
  logic signed [9:0] z_exponent, below;  // of the argument of tanh, and its distance below -1
  logic [9:0] exp_shift;
  logic [63:0] power;
  logic [31:0] tail;
  logic [30:0] scaled;  // below the leading one
  logic [6:0] tail_zeros;
  logic [4:0] octave;

  logic [3:0] table_d;
  logic [6:0] segment_d;
  logic [31:0] position;
  logic [24:0] place_d;
  logic [31:0] factor_d;
  logic by_other_d, subtract_d, sign_d, one_d, natural_d;
  logic [5:0] shift_d;
  logic signed [9:0] plan_exponent_d;
  logic signed [8:0] steps_d;
  always_comb begin
    is_tanh = 1'b0;
    is_sigmoid = 1'b0;
    is_exp = 1'b0;
    halved = 1'b0;
    odd = 1'b0;
    fraction = 23'd0;
    distance = 24'd0;
    z_exponent = 10'sd0;
    below = 10'sd0;
    exp_shift = 10'd0;
    power = 64'd0;
    tail = 32'd0;
    scaled = 31'd0;
    tail_zeros = 7'd0;
    octave = 5'd0;
    table_d = special_pkg::TABLE_EXP2;
    position = 32'd0;
    factor_d = 32'h8000_0000;
    by_other_d = 1'b0;
    shift_d = 6'd0;
    plan_exponent_d = 10'sd0;
    subtract_d = 1'b0;
    sign_d = 1'b0;
    one_d = 1'b0;
    steps_d = 9'sd0;
    natural_d = 1'b0;
    segment_d = 7'd0;
    place_d = 25'd0;
    if (valid_i) begin
      fraction = significand_i[22:0];
      odd = exponent_i[0];
      position = {fraction, 9'b0};
      case (function_i)
        special_plan::EXP, special_plan::EXP2: is_exp = 1'b1;
        special_plan::LN, special_plan::LOG2: begin
          natural_d = function_i == special_plan::LN;
          table_d = natural_d ? special_pkg::TABLE_LN : special_pkg::TABLE_LOG2;
          halved = fraction[22:16] >= special_pkg::LOG_TURN;
          distance = halved ? -significand_i : {fraction, 1'b0};  // of the significand from 1, in 2^-24
          factor_d = {1'b0, distance, 7'b0};
          steps_d = exponent_i[8:0] + {8'b0, halved};
          shift_d = 6'd7;
          plan_exponent_d = 10'sd7;
          subtract_d = halved;
        end
        special_plan::TANH: begin
          is_tanh = 1'b1;
          z_exponent = exponent_i;
          sign_d = sign_i;
        end
        special_plan::SIGMOID, special_plan::SIGMOID_TAIL: begin
          is_exp = function_i == special_plan::SIGMOID_TAIL && sign_i && exponent_i >= 10'sd1;
          by_other_d = is_exp;
          is_tanh = !is_exp;
          is_sigmoid = !is_exp;
          z_exponent = exponent_i - 10'sd1;
        end
        special_plan::RECIPROCAL: begin
          table_d = fraction[22] ? special_pkg::TABLE_OOX_HIGH : special_pkg::TABLE_OOX_LOW;
          position = {fraction[21:0], 10'b0};
          plan_exponent_d = -exponent_i;
          sign_d = sign_i;
        end
        special_plan::SQRT: begin  // x / sqrt x
          table_d = odd ? special_pkg::TABLE_OORX_ODD : special_pkg::TABLE_OORX_EVEN;
          factor_d = {significand_i, 8'b0};
          plan_exponent_d = exponent_i - (exponent_i >>> 1);
          sign_d = sign_i;
        end
        special_plan::RECIPROCAL_SQRT: begin
          table_d = odd ? special_pkg::TABLE_OORX_ODD : special_pkg::TABLE_OORX_EVEN;
          plan_exponent_d = -(exponent_i >>> 1);
        end
        default: begin  // GAUSS: by octaves of the smaller tail's probability, tail / 2^33
          tail = {raw_i[31] ? ~raw_i[30:0] : raw_i[30:0], 1'b1};
          tail_zeros = fp_format::leading_zeros({tail, 32'b0});
          octave = tail_zeros[4:0];
          scaled = tail[30:0] << octave;
          plan_exponent_d = 10'sd3;
          sign_d = !raw_i[31];
        end
      endcase

      if (is_exp) begin
        exp_shift = 10'd29 - exponent_i;
        if (exponent_i >= 10'sd8) begin
          position = 32'd0;
          plan_exponent_d = sign_i ? -10'sd300 : 10'sd300;
        end else begin
          if (exp_shift < 10'd64) power = product_i >> exp_shift[5:0];
          if (sign_i) power = -power;
          position = power[31:0];
          plan_exponent_d = power[41:32];
        end
      end

      if (is_tanh) begin
        below = -10'sd1 - z_exponent;
        if (z_exponent < 10'sd0) begin
          table_d = special_pkg::TABLE_TANH_RATIO;
          position = below < 10'sd32 ? {significand_i, 8'b0} >> below[4:0] : 32'd0;
          factor_d = {significand_i, 8'b0};
          plan_exponent_d = z_exponent;
        end else begin
          table_d = special_pkg::TABLE_TANH1 + {2'b0, z_exponent > 10'sd3 ? 2'd3 : z_exponent[1:0]};
          if (z_exponent > 10'sd3) position = 32'hffff_ffff;
        end
        if (is_sigmoid) begin
          one_d = 1'b1;
          if (z_exponent < 10'sd0) shift_d = z_exponent < -10'sd63 ? 6'd63 : 6'd0 - z_exponent[5:0];
          plan_exponent_d = -10'sd1;
          subtract_d = sign_i;
        end
      end

      segment_d = position[31:25];
      place_d = position[24:0];
      if (function_i == special_plan::GAUSS) begin
        table_d = special_pkg::TABLE_GAUSS0 + {2'b0, octave[4:3]};
        segment_d = {octave[2:0], scaled[30:27]};
        place_d = scaled[26:2];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      tag_o <= tag_i;
      index_o <= {table_d, segment_d};
      place_o <= place_d;
      factor_o <= factor_d;
      by_other_o <= by_other_d;
      shift_o <= shift_d;
      exponent_o <= plan_exponent_d;
      subtract_o <= subtract_d;
      sign_o <= sign_d;
      one_o <= one_d;
      steps_o <= steps_d;
      natural_o <= natural_d;
    end
  end

  // The tail is not zero, and its last bits are beyond the tables' resolution.
  logic unused;
  assign unused = ^{tail_zeros[6:5], scaled[1:0]};
endmodule
