// The inputs x of a step of the matrix engine, taken apart once for all units: lane by lane a factor (amp_format), and
// what is NaN, infinite or zero. Combinational, in X2; nothing moves without valid_i.
//
// f16: lanes 0 to 3; f8: lanes 0 to 7. An f32 becomes four factors whose products with those of a weight (amp_unit) sum
// to the product: lanes 0 to 3 are x[31:0], lanes 4 to 7 x[63:32]; its upper half stands in the first two lanes of the
// four, its lower half in the other two. Lane 0 (4) tells whether the whole is NaN, infinite or zero.
module amp_inputs (
    input  logic        valid_i,
    input  logic        f32_i,
    input  logic        f8_i,
    input  logic        f8_wide_i,     // 1-5-2
    input  logic [63:0] x_i,
    output logic [ 7:0] sign_o,
    output logic [19:0] shift_low_o,   // 5 bits a lane, lanes 0 to 3
    output logic [19:0] shift_high_o,  // lanes 4 to 7
    output logic [47:0] low_o,         // significands, 12 bits a lane
    output logic [47:0] high_o,
    output logic [15:0] exponent_o,    // f32: of both lanes, a subnormal's is 1
    output logic        special_o,     // some lane is NaN or infinite
    output logic [ 7:0] nan_o,
    output logic [ 7:0] snan_o,
    output logic [ 7:0] inf_o,
    output logic [ 7:0] zero_o
);
  logic [17:0] factor;
  logic [15:0] half;
  logic [31:0] single;
  logic [23:0] significand;
  always_comb begin
    sign_o = 8'd0;
    shift_low_o = 20'd0;
    shift_high_o = 20'd0;
    low_o = 48'd0;
    high_o = 48'd0;
    exponent_o = 16'd0;
    special_o = 1'b0;
    nan_o = 8'd0;
    snan_o = 8'd0;
    inf_o = 8'd0;
    zero_o = 8'd0;
    factor = 18'd0;
    half = 16'd0;
    single = 32'd0;
    significand = 24'd0;
    if (valid_i) begin
      if (f32_i) begin
        for (int i = 0; i < 2; i++) begin
          single = x_i[32*i+:32];
          significand = {single[30:23] != 8'd0, single[22:0]};
          exponent_o[8*i+:8] = {single[30:24], single[23] | (single[30:23] == 8'd0)};
          sign_o[4*i+:4] = {4{single[31]}};
          inf_o[4*i] = single[30:0] == 31'h7f80_0000;
          nan_o[4*i] = single[30:0] > 31'h7f80_0000;
          snan_o[4*i] = nan_o[4*i] & !single[22];
          zero_o[4*i] = single[30:0] == 31'd0;
          if (i == 0) low_o = {{2{significand[11:0]}}, {2{significand[23:12]}}};
          else high_o = {{2{significand[11:0]}}, {2{significand[23:12]}}};
        end
        shift_low_o = {5'd0, 5'd0, 5'd12, 5'd12};
        shift_high_o = {5'd0, 5'd0, 5'd12, 5'd12};
      end else if (f8_i) begin
        for (int i = 0; i < 4; i++) begin
          factor = amp_format::byte_factor(f8_wide_i, x_i[8*i+:8]);
          {sign_o[i], shift_low_o[5*i+:5], low_o[12*i+:12]} = factor;
          nan_o[i] = x_i[8*i+:8] == 8'h80;
          factor = amp_format::byte_factor(f8_wide_i, x_i[32+8*i+:8]);
          {sign_o[4+i], shift_high_o[5*i+:5], high_o[12*i+:12]} = factor;
          nan_o[4+i] = x_i[32+8*i+:8] == 8'h80;
        end
      end else begin
        for (int i = 0; i < 4; i++) begin
          half = x_i[16*i+:16];
          factor = amp_format::half_factor(half);
          {sign_o[i], shift_low_o[5*i+:5], low_o[12*i+:12]} = factor;
          inf_o[i] = half[14:0] == 15'h7c00;
          nan_o[i] = half[14:0] > 15'h7c00;
          snan_o[i] = nan_o[i] & !half[9];
          zero_o[i] = half[14:0] == 15'd0;
        end
      end
      special_o = nan_o != 8'd0 || inf_o != 8'd0;
    end
  end
endmodule
