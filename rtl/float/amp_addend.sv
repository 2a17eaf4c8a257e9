// Puts the accumulator c of one unit of the matrix engine where it meets the sum of products T. Combinational, in X2.
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
    input  logic                 valid_i,
    input  logic          [31:0] c_i,
    input  logic          [ 9:0] unit_i,      // exponent of T's unit plus 662
    output amp_format::meeting_e meeting_o,
    output logic          [63:0] addend_o,    // signed; its last bit: MEETS_LOW and MEETS_HIGH one and 2^32, MEETS_ABOVE
                                              // 2^48, MEETS_SIGN 2^-38 of c's last place, MEETS_BELOW 2^-26
    output logic                 sticky_o,    // it is more than that
    output logic          [ 9:0] exponent_o   // of the sum's last bit, plus 662; MEETS_BELOW: of one
);
  logic [9:0] place, below;  // distance plus 512
  logic [7:0] c_exponent;
  logic [63:0] c;
  logic [5:0] left, right;
  always_comb begin
    place = 10'd0;
    below = 10'd0;
    c_exponent = 8'd0;
    c = 64'd0;
    left = 6'd0;
    right = 6'd0;
    meeting_o = amp_format::MEETS_LOW;
    addend_o = 64'd0;
    sticky_o = 1'b0;
    exponent_o = unit_i;
    if (valid_i && c_i[30:0] != 31'd0) begin
      c_exponent = {c_i[30:24], c_i[23] | (c_i[30:23] == 8'd0)};
      c = {40'b0, c_i[30:23] != 8'd0, c_i[22:0]};
      c = (c ^ {64{c_i[31]}}) + {63'b0, c_i[31]};  // by a mask: as good as random to a simulator
      place = {2'b0, c_exponent} - unit_i;
      if (place[9:6] == 4'b1000) begin
        meeting_o = place[5] ? amp_format::MEETS_HIGH : amp_format::MEETS_LOW;
        left = {1'b0, place[4:0]};
      end else if (place >= 10'd598) begin
        meeting_o = amp_format::MEETS_SIGN;
        left = 6'd38;
        exponent_o = {2'b0, c_exponent} + 10'd474;
      end else if (place >= 10'd576) begin
        meeting_o = amp_format::MEETS_ABOVE;
        left = place[5:0] + 6'd16;
        exponent_o = unit_i + 10'd48;
      end else begin
        meeting_o = amp_format::MEETS_BELOW;
        below = 10'd512 - place;
        if (below <= 10'd26) begin
          left = 6'd26 - below[5:0];
        end else begin
          right = below >= 10'd58 ? 6'd32 : below[5:0] - 6'd26;
          sticky_o = (c & ((64'd1 << right) - 64'd1)) != 64'd0;
          c = $signed(c) >>> right;
        end
      end
      addend_o = c << left;
    end
  end
endmodule
