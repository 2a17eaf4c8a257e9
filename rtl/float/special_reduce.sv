// First three stages of a lane of special_unit: from the operand to a place in a table and what is to be done with the
// table's value there. docs/reference/special.md defines each step.
//
//   stage 0 (X1)  unpack, give subnormals a leading one, find the results that no table gives
//   stage 1       exponentials: multiply by log2 e
//   stage 2       choose table and position, factor, addend, exponent
//
// The result is (addend +- (factor * table value >> shift)) / 2^62 * 2^exponent; table value and factor are in units of
// 2^-31, and the addend of a logarithm is steps * unit.
module special_reduce (
    input  logic                     clk_i,          // gated
    input  logic              [ 2:0] stage_i,        // stages that hold an operand
    input  logic              [ 3:0] function_i,     // special_plan
    input  logic                     f16_i,
    input  logic              [31:0] x_i,            // f32, f16 in the low half, or the random bits of a Gauss
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
  // Stage 0
  fp_format::number_t x;
  special_plan::tag_t tag_d;
  logic [6:0] zeros;
  logic [23:0] significand_d;
  logic signed [9:0] exponent_d;
  logic is_log, is_root, inverts, zero;
  always_comb begin
    x = '0;
    tag_d = '0;
    zeros = 7'd0;
    significand_d = 24'd0;
    exponent_d = 10'sd0;
    is_log = 1'b0;
    is_root = 1'b0;
    inverts = 1'b0;
    zero = 1'b0;
    if (stage_i[0]) begin
      tag_d.f16 = f16_i;
      if (function_i != special_plan::GAUSS) begin
        x = fp_format::unpack(f16_i, x_i);
        is_log = function_i == special_plan::LN || function_i == special_plan::LOG2;
        is_root = function_i == special_plan::SQRT || function_i == special_plan::RECIPROCAL_SQRT;
        inverts = function_i == special_plan::RECIPROCAL || function_i == special_plan::RECIPROCAL_SQRT;
        zero = x.significand == 24'd0;
        if (x.nan) begin
          tag_d.kind = special_plan::NOT_A_NUMBER;
          tag_d.invalid = x.snan;
        end else if (x.sign && !zero && (is_log || is_root)) begin
          tag_d.kind = special_plan::NOT_A_NUMBER;
          tag_d.invalid = 1'b1;
        end else if (zero && (is_log || inverts)) begin
          tag_d.kind = special_plan::INFINITE;
          tag_d.sign = is_log | x.sign;
          tag_d.by_zero = 1'b1;
        end else if (x.inf && inverts) begin
          tag_d.kind = special_plan::ZERO;
          tag_d.sign = x.sign;
        end else if (x.inf && (is_log || is_root)) begin
          tag_d.kind = special_plan::INFINITE;
        end
        tag_d.may_overflow = !x.inf;
        tag_d.may_underflow = !x.inf & x.significand[23] & !is_log;
        if (!zero) zeros = fp_format::leading_zeros({x.significand, 40'b0});
        significand_d = x.significand << zeros[4:0];
        exponent_d = x.exponent - $signed({3'b0, zeros});
      end
    end
  end

  special_plan::tag_t tag_1_q;
  logic [3:0] function_1_q;
  logic [31:0] raw_1_q;
  logic [23:0] significand_1_q;
  logic signed [9:0] exponent_1_q;
  logic sign_1_q;
  always_ff @(posedge clk_i) begin
    if (stage_i[0]) begin
      tag_1_q <= tag_d;
      function_1_q <= function_i;
      raw_1_q <= x_i;
      significand_1_q <= significand_d;
      exponent_1_q <= exponent_d;
      sign_1_q <= x.sign;
    end
  end

  // Stage 1. A sigmoid's exponential is found whether it will be used or not.
  logic [63:0] product_d;
  always_comb begin
    product_d = 64'd0;
    if (stage_i[1]) begin
      case (function_1_q)
        special_plan::EXP, special_plan::SIGMOID_TAIL: product_d = {40'b0, significand_1_q} * special_pkg::LOG2E;
        special_plan::EXP2: product_d = {2'b0, significand_1_q, 38'b0};
        default: ;
      endcase
    end
  end

  special_plan::tag_t tag_2_q;
  logic [3:0] function_2_q;
  logic [31:0] raw_2_q;
  logic [23:0] significand_2_q;
  logic signed [9:0] exponent_2_q;
  logic sign_2_q;
  logic [63:0] product_q;
  always_ff @(posedge clk_i) begin
    if (stage_i[1]) begin
      tag_2_q <= tag_1_q;
      function_2_q <= function_1_q;
      raw_2_q <= raw_1_q;
      significand_2_q <= significand_1_q;
      exponent_2_q <= exponent_1_q;
      sign_2_q <= sign_1_q;
      product_q <= product_d;
    end
  end

  // Stage 2
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
    if (stage_i[2]) begin
      fraction = significand_2_q[22:0];
      odd = exponent_2_q[0];
      position = {fraction, 9'b0};
      case (function_2_q)
        special_plan::EXP, special_plan::EXP2: is_exp = 1'b1;
        special_plan::LN, special_plan::LOG2: begin
          natural_d = function_2_q == special_plan::LN;
          table_d = natural_d ? special_pkg::TABLE_LN : special_pkg::TABLE_LOG2;
          halved = fraction[22:16] >= special_pkg::LOG_TURN;
          distance = halved ? -significand_2_q : {fraction, 1'b0};  // of the significand from 1, in 2^-24
          factor_d = {1'b0, distance, 7'b0};
          steps_d = exponent_2_q[8:0] + {8'b0, halved};
          shift_d = 6'd7;
          plan_exponent_d = 10'sd7;
          subtract_d = halved;
        end
        special_plan::TANH: begin
          is_tanh = 1'b1;
          z_exponent = exponent_2_q;
          sign_d = sign_2_q;
        end
        special_plan::SIGMOID, special_plan::SIGMOID_TAIL: begin
          is_exp = function_2_q == special_plan::SIGMOID_TAIL && sign_2_q && exponent_2_q >= 10'sd1;
          by_other_d = is_exp;
          is_tanh = !is_exp;
          is_sigmoid = !is_exp;
          z_exponent = exponent_2_q - 10'sd1;
        end
        special_plan::RECIPROCAL: begin
          table_d = fraction[22] ? special_pkg::TABLE_OOX_HIGH : special_pkg::TABLE_OOX_LOW;
          position = {fraction[21:0], 10'b0};
          plan_exponent_d = -exponent_2_q;
          sign_d = sign_2_q;
        end
        special_plan::SQRT: begin  // x / sqrt x
          table_d = odd ? special_pkg::TABLE_OORX_ODD : special_pkg::TABLE_OORX_EVEN;
          factor_d = {significand_2_q, 8'b0};
          plan_exponent_d = exponent_2_q - (exponent_2_q >>> 1);
          sign_d = sign_2_q;
        end
        special_plan::RECIPROCAL_SQRT: begin
          table_d = odd ? special_pkg::TABLE_OORX_ODD : special_pkg::TABLE_OORX_EVEN;
          plan_exponent_d = -(exponent_2_q >>> 1);
        end
        default: begin  // GAUSS: by octaves of the smaller tail's probability, tail / 2^33
          tail = {raw_2_q[31] ? ~raw_2_q[30:0] : raw_2_q[30:0], 1'b1};
          tail_zeros = fp_format::leading_zeros({tail, 32'b0});
          octave = tail_zeros[4:0];
          scaled = tail[30:0] << octave;
          plan_exponent_d = 10'sd3;
          sign_d = !raw_2_q[31];
        end
      endcase

      if (is_exp) begin
        exp_shift = 10'd29 - exponent_2_q;
        if (exponent_2_q >= 10'sd8) begin
          position = 32'd0;
          plan_exponent_d = sign_2_q ? -10'sd300 : 10'sd300;
        end else begin
          if (exp_shift < 10'd64) power = product_q >> exp_shift[5:0];
          if (sign_2_q) power = -power;
          position = power[31:0];
          plan_exponent_d = power[41:32];
        end
      end

      if (is_tanh) begin
        below = -10'sd1 - z_exponent;
        if (z_exponent < 10'sd0) begin
          table_d = special_pkg::TABLE_TANH_RATIO;
          position = below < 10'sd32 ? {significand_2_q, 8'b0} >> below[4:0] : 32'd0;
          factor_d = {significand_2_q, 8'b0};
          plan_exponent_d = z_exponent;
        end else begin
          table_d = special_pkg::TABLE_TANH1 + {2'b0, z_exponent > 10'sd3 ? 2'd3 : z_exponent[1:0]};
          if (z_exponent > 10'sd3) position = 32'hffff_ffff;
        end
        if (is_sigmoid) begin
          one_d = 1'b1;
          if (z_exponent < 10'sd0) shift_d = z_exponent < -10'sd63 ? 6'd63 : 6'd0 - z_exponent[5:0];
          plan_exponent_d = -10'sd1;
          subtract_d = sign_2_q;
        end
      end

      segment_d = position[31:25];
      place_d = position[24:0];
      if (function_2_q == special_plan::GAUSS) begin
        table_d = special_pkg::TABLE_GAUSS0 + {2'b0, octave[4:3]};
        segment_d = {octave[2:0], scaled[30:27]};
        place_d = scaled[26:2];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (stage_i[2]) begin
      tag_o <= tag_2_q;
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
