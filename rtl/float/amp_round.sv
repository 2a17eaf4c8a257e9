// Normalises and rounds the sum of one unit of the matrix engine to f32, nearest even. Combinational, in M.
module amp_round (
    input  logic        valid_i,
    input  logic [63:0] magnitude_i,  // the last bit is sticky
    input  logic [ 9:0] exponent_i,   // of the magnitude's last bit, plus 662
    input  logic        sign_i,       // also of a magnitude of zero
    input  logic        only_c_i,     // the sum is c
    input  logic [31:0] c_i,
    input  logic        nan_i,
    input  logic        inf_i,
    input  logic        inf_sign_i,
    output logic [31:0] result_o,
    output logic        overflow_o
);
  logic [63:0] normal, lost;
  logic [9:0] exponent;  // the result's exponent field plus 512
  logic [9:0] lift, drop;  // of a subnormal result: the magnitude's last bit above or below where f32 has its last
  logic [9:0] room;        // zeros of a magnitude just below 2^128
  logic [5:0] zeros;
  logic up, subnormal, overflow;
  logic [31:0] rounded;
  always_comb begin
    normal = magnitude_i;
    lost = 64'd0;
    zeros = 6'd0;
    exponent = 10'd0;
    lift = 10'd0;
    drop = 10'd0;
    room = 10'd0;
    up = 1'b0;
    subnormal = 1'b0;
    overflow = 1'b0;
    rounded = 32'd0;
    result_o = 32'd0;
    overflow_o = 1'b0;
    if (valid_i) begin
`ifdef SYNTHESIS
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
`else
      // As the exponent of a double, biased by 1023; without the bit behind the leading one no rounding reaches it.
      (* simulation_speed *)
      zeros = 6'd62 - 6'($realtobits(real'(magnitude_i & ~(magnitude_i >> 1))) >> 52);
      normal = magnitude_i << zeros;
`endif
      // Bit 63 of the magnitude has the weight 2^(exponent_i - 662 + 63); 127 is the bias of the field. The comparisons
      // are with the exponent of bit 63, which is known before the zeros are.
      exponent = exponent_i + 10'd40 - {4'b0, zeros};
      room = exponent_i - 10'd726;
      overflow = exponent_i >= 10'd726 && ({4'b0, zeros} < room || ({4'b0, zeros} == room && normal[63:39] == {25{1'b1}}));
      lift = exponent_i - 10'd473;
      subnormal = exponent_i < 10'd473 || {4'b0, zeros} > lift;
      if (subnormal) begin
        // The last place of f32 goes to bit 40, wherever the leading one is.
        exponent = 10'd513;
        if (exponent_i >= 10'd473) begin
          normal = magnitude_i << lift[5:0];
        end else begin
          drop = 10'd473 - exponent_i;
          lost = magnitude_i & ((64'd1 << drop[5:0]) - 64'd1);
          normal = magnitude_i >> drop[5:0];
          normal[0] = normal[0] | (lost != 64'd0);
          if (drop[9:6] != 4'd0) normal = {63'd0, magnitude_i != 64'd0};
        end
      end
      up = normal[39] & (normal[40] | (normal[38:0] != 39'd0));
      // The leading one adds 1 to the exponent field.
      rounded = {exponent - 10'd513, 22'b0} << 1;
      rounded = rounded + {8'b0, normal[63:40]} + {31'b0, up};

      if (nan_i) begin
        result_o = 32'h7fc0_0000;
      end else if (inf_i) begin
        result_o = {inf_sign_i, 31'h7f80_0000};
      end else if (only_c_i) begin
        result_o = c_i;
      end else if (magnitude_i == 64'd0) begin
        result_o = {sign_i, 31'd0};
      end else if (overflow) begin
        result_o = {sign_i, 31'h7f80_0000};
        overflow_o = 1'b1;
      end else begin
        result_o = {sign_i, rounded[30:0]};
      end
    end
  end
endmodule
