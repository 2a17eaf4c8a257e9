// Stage 1 of a lane of special_unit: unpack, give subnormals a leading one, find the results that no table gives;
// exponentials: multiply by log2 e. docs/reference/special.md defines each step.
module special_reduce (
    input  logic                     clk_i,          // gated
    input  logic                     valid_i,        // the stage holds an operand
    input  logic              [ 3:0] function_i,     // special_plan
    input  logic                     f16_i,
    input  logic              [31:0] x_i,            // f32, f16 in the low half, or the random bits of a Gauss
    output special_plan::tag_t       tag_o,
    output logic              [ 3:0] function_o,
    output logic              [31:0] raw_o,          // x_i
    output logic              [23:0] significand_o,  // with its leading one, unless x is zero
    output logic signed       [ 9:0] exponent_o,
    output logic                     sign_o,
    output logic              [63:0] product_o       // significand times log2 e or 1, in units of 2^-61
);
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
    if (valid_i) begin
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

  // A sigmoid's exponential is found whether it will be used or not. The product is normalised rather than the operand,
  // so that the multiplier does not wait for the count of zeros.
  logic [63:0] product_d;
  always_comb begin
    product_d = 64'd0;
    if (valid_i) begin
      case (function_i)
        special_plan::EXP, special_plan::SIGMOID_TAIL:
        product_d = ({40'b0, x.significand} * special_pkg::LOG2E) << zeros[4:0];
        special_plan::EXP2: product_d = {2'b0, significand_d, 38'b0};
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      tag_o <= tag_d;
      function_o <= function_i;
      raw_o <= x_i;
      significand_o <= significand_d;
      exponent_o <= exponent_d;
      sign_o <= x.sign;
      product_o <= product_d;
    end
  end
endmodule
