// Normalises and rounds the sum of one unit of the matrix engine to f32, nearest even. Combinational, in M.
module amp_round (
    input  logic        valid_i,
    input  logic [63:0] magnitude_i,  // the last bit is sticky
    input  logic [ 9:0] exponent_i,   // of the magnitude's last bit, plus 662
    input  logic        sign_i,       // also of a magnitude of zero
    input  logic        nan_i,
    input  logic        inf_i,
    input  logic        inf_sign_i,
    output logic [31:0] result_o,
    output logic        overflow_o
);
  logic [63:0] normal, kept;
  logic [9:0] below;
  logic [9:0] exponent;  // the result's exponent field plus 512,
  logic [9:0] field;     // held at 1
  logic [5:0] zeros;
  logic up, subnormal;
  logic [31:0] rounded;
  always_comb begin
    normal = magnitude_i;
    zeros = 6'd0;
    exponent = 10'd0;
    up = 1'b0;
    subnormal = 1'b0;
    field = 10'd0;
    below = 10'd0;
    kept = 64'd0;
    rounded = 32'd0;
    result_o = 32'd0;
    overflow_o = 1'b0;
    if (valid_i) begin
      zeros[5] = normal[63:32] == 32'd0;
      normal = normal << {zeros[5], 5'b0};
      zeros[4] = normal[63:48] == 16'd0;
      normal = normal << {zeros[4], 4'b0};
      zeros[3] = normal[63:56] == 8'd0;
      normal = normal << {zeros[3], 3'b0};
      zeros[2] = normal[63:60] == 4'd0;
      normal = normal << {zeros[2], 2'b0};
      zeros[1] = normal[63:62] == 2'd0;
      normal = normal << {zeros[1], 1'b0};
      zeros[0] = !normal[63];
      normal = normal << zeros[0];
      // Bit 63 of the magnitude has the weight 2^(exponent_i - 662 + 63); 127 is the bias of the field.
      exponent = exponent_i + 10'd40 - {4'b0, zeros};
      subnormal = exponent < 10'd513;
      if (subnormal) begin
        below = 10'd513 - exponent;
        kept = below[9:6] == 4'd0 ? normal >> below[5:0] : 64'd0;
        normal = {kept[63:1], kept[0] | (kept << below[5:0]) != normal};
      end
      field = subnormal ? 10'd513 : exponent;
      up = normal[39] & (normal[40] | (normal[38:0] != 39'd0));
      // The leading one adds 1 to the exponent field.
      rounded = {field - 10'd513, 22'b0} << 1;
      rounded = rounded + {8'b0, normal[63:40]} + {31'b0, up};

      if (nan_i) begin
        result_o = 32'h7fc0_0000;
      end else if (inf_i) begin
        result_o = {inf_sign_i, 31'h7f80_0000};
      end else if (magnitude_i == 64'd0) begin
        result_o = {sign_i, 31'd0};
      end else if (rounded >= 32'h7f80_0000) begin
        result_o = {sign_i, 31'h7f80_0000};
        overflow_o = 1'b1;
      end else begin
        result_o = {sign_i, rounded[30:0]};
      end
    end
  end
endmodule
