// Puts the accumulator c of one unit of the matrix engine where it meets the sum of products T: in X2, with
// registers that are read in M.
//
// c = significand * 2^distance in the unit of T, |T| < 2^84. The exact sum would take 400 bits, but where c stands far
// from T, far bits only decide the direction of rounding and are kept as 1 in the last bit (sticky), well below the 24
// bits that are kept and the one after them:
//
//   distance >= 86       |T| is below a quarter of c's last place: only its sign counts
//   distance 64 to 85    c's last place is at least 2^64: the low 48 bits of T are sticky
//   distance 0 to 63     exact
//   distance below 0     c with 26 bits behind the point, of which the last is sticky: |T| >= 2^32 > 2^8 |c| needs none of
//                        them, smaller T meets them all; what is lost below has |c| < 1/8, and T is 0 (then the sum is c)
//                        or at least 1
(* simulation_speed *)
module amp_addend (
    input  logic                 clk_i,         // gated
    input  logic                 valid_i,
    input  logic          [31:0] c_i,
    input  logic                 f32_i,
    input  logic                 upper_i,       // f32: the product of lane 1
    input  logic          [ 9:0] unit_i,        // f16, f8: exponent of T's unit plus 662
    input  logic          [15:0] x_exponent_i,  // f32: of the inputs, as amp_inputs gives them
    input  logic          [63:0] w_i,
    output amp_format::meeting_e meeting_o,
    output logic          [63:0] addend_o,    // signed; its last bit: MEETS_LOW and MEETS_HIGH one and 2^32, MEETS_ABOVE
                                              // 2^48, MEETS_SIGN 2^-38 of c's last place, MEETS_BELOW 2^-26
    output logic                 sticky_o,    // it is more than that
    output logic          [ 9:0] exponent_o   // of the sum's last bit, plus 662; MEETS_BELOW: of one
);
  always_ff @(posedge clk_i) begin : place_c
    amp_format::meeting_e meeting;
    logic [9:0] place, below, unit, exponent;  // place: distance plus 512
    logic [7:0] c_exponent, w_exponent;
    logic [63:0] c;
    logic [5:0] left, right;
    logic sticky;
    meeting = amp_format::MEETS_LOW;
    place = 10'd0;
    below = 10'd0;
    unit = 10'd0;
    exponent = 10'd0;
    c_exponent = 8'd0;
    w_exponent = 8'd0;
    c = 64'd0;
    left = 6'd0;
    right = 6'd0;
    sticky = 1'b0;
    if (valid_i) begin
      unit = unit_i;
      if (f32_i) begin
        w_exponent = upper_i ? w_i[62:55] : w_i[30:23];
        unit = {2'b0, upper_i ? x_exponent_i[15:8] : x_exponent_i[7:0]} + 10'd362 + {2'b0, w_exponent[7:1], w_exponent[0] | w_exponent == 8'd0};
      end
      exponent = unit;
      if (c_i[30:0] != 31'd0) begin
        c_exponent = {c_i[30:24], c_i[23] | (c_i[30:23] == 8'd0)};
        c = {40'b0, c_i[30:23] != 8'd0, c_i[22:0]};
        c = (c ^ {64{c_i[31]}}) + {63'b0, c_i[31]};  // by a mask: as good as random to a simulator
        place = {2'b0, c_exponent} - unit;
        if (place[9:6] == 4'b1000) begin
          meeting = place[5] ? amp_format::MEETS_HIGH : amp_format::MEETS_LOW;
          left = {1'b0, place[4:0]};
        end else if (place >= 10'd598) begin
          meeting = amp_format::MEETS_SIGN;
          left = 6'd38;
          exponent = {2'b0, c_exponent} + 10'd474;
        end else if (place >= 10'd576) begin
          meeting = amp_format::MEETS_ABOVE;
          left = place[5:0] + 6'd16;
          exponent = unit + 10'd48;
        end else begin
          meeting = amp_format::MEETS_BELOW;
          below = 10'd512 - place;
          if (below <= 10'd26) begin
            left = 6'd26 - below[5:0];
          end else begin
            right = below >= 10'd58 ? 6'd32 : below[5:0] - 6'd26;
            sticky = (c & ((64'd1 << right) - 64'd1)) != 64'd0;
            c = $signed(c) >>> right;
          end
        end
      end
      meeting_o <= meeting;
      addend_o <= c << left;
      sticky_o <= sticky;
      exponent_o <= exponent;
    end
  end

  logic unused;
  assign unused = &{1'b0, w_i[63], w_i[54:31], w_i[22:0]};
endmodule
