// Adds the accumulator to the sum of products T of one unit of the matrix engine, as amp_addend has laid them down, and
// gives sign and magnitude. Combinational, in M.
//
// Sum and negated sum are made side by side, since which of them is the magnitude shows in the last bit of the addition.
module amp_sum (
    input  logic                        valid_i,
    input  logic                 [63:0] upper_i,      // T, signed: above its last 32 bits
    input  logic                 [31:0] lower_i,
    input  logic                 [ 2:0] meeting_i,    // amp_format::MEETS_*
    input  logic                 [63:0] addend_i,
    input  logic                        sticky_i,
    input  logic                 [ 9:0] exponent_i,
    input  logic                        zero_sign_i,  // of a sum of zero
    output logic                 [63:0] magnitude_o,  // the last bit is sticky
    output logic                 [ 9:0] exponent_o,   // of the magnitude's last bit, plus 662
    output logic                        sign_o,
    output logic                        only_c_o      // T is zero, and the sum c: a magnitude that has lost bits
);
  logic [63:0] x_upper, y_upper, upper, negated_upper, magnitude_upper;
  logic [31:0] x_lower, y_lower, magnitude_lower;
  logic [63:0] lower, negated_lower;  // with what they carry
  logic [9:0] exponent;
  logic sticky, above_32;
  always_comb begin
    x_upper = upper_i;
    x_lower = lower_i;
    y_upper = {{32{addend_i[63]}}, addend_i[63:32]};
    y_lower = addend_i[31:0];
    sticky = sticky_i;
    exponent = exponent_i;
    upper = 64'd0;
    lower = 64'd0;
    negated_upper = 64'd0;
    negated_lower = 64'd0;
    magnitude_upper = 64'd0;
    magnitude_lower = 32'd0;
    above_32 = 1'b0;
    magnitude_o = 64'd0;
    exponent_o = 10'd0;
    sign_o = 1'b0;
    only_c_o = 1'b0;
    if (valid_i) begin
      case (meeting_i)
        amp_format::MEETS_LOW: ;
        amp_format::MEETS_HIGH: begin
          y_upper = addend_i;
          y_lower = 32'd0;
        end
        amp_format::MEETS_ABOVE: begin
          x_upper = {{48{upper_i[63]}}, upper_i[63:48]};
          x_lower = upper_i[47:16];
          sticky = upper_i[15:0] != 16'd0 || lower_i != 32'd0;
        end
        amp_format::MEETS_SIGN: begin
          x_upper = {64{upper_i[63]}};
          x_lower = {32{upper_i[63]}};
          sticky = upper_i != 64'd0 || lower_i != 32'd0;
        end
        default: begin
          if ({64{upper_i[63]}} == upper_i) begin
            only_c_o = !upper_i[63] && lower_i == 32'd0;
            x_upper = {{32{upper_i[63]}}, upper_i[5:0], lower_i[31:6]};
            x_lower = {lower_i[5:0], 26'b0};
            exponent = exponent_i - 10'd26;
          end else begin
            y_upper = {{58{addend_i[63]}}, addend_i[63:58]};
            y_lower = addend_i[57:26];
            sticky = sticky_i || addend_i[25:0] != 26'd0;
          end
        end
      endcase
      lower = {32'b0, x_lower} + {32'b0, y_lower};
      upper = x_upper + y_upper + {32'b0, lower[63:32]};
      // A negative sum that is more than its bits say is nearer to zero by that, and lacks it.
      negated_lower = {32'b0, ~x_lower} + {32'b0, ~y_lower} + {62'b0, !sticky, sticky};
      negated_upper = ~x_upper + ~y_upper + {32'b0, negated_lower[63:32]};
      sign_o = upper[63];
      magnitude_upper = sign_o ? negated_upper : upper;
      magnitude_lower = sign_o ? negated_lower[31:0] : lower[31:0];
      magnitude_lower[0] = magnitude_lower[0] | sticky;
      above_32 = magnitude_upper[63:32] != 32'd0;
      magnitude_o = above_32 ? {magnitude_upper[63:1], magnitude_upper[0] | (magnitude_lower != 32'd0)}
                             : {magnitude_upper[31:0], magnitude_lower};
      exponent_o = exponent + {4'b0, above_32, 5'b0};
      if (magnitude_o == 64'd0) sign_o = zero_sign_i;
    end
  end
endmodule
