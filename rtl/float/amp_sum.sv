// Adds the accumulator c to the sum of products of one unit of the matrix engine. Combinational, in M.
//
// T = limb_0 + limb_1 * 2^32 (signed limbs), |T| < 2^84; c = significand * 2^distance in the same unit. The exact sum
// would take 400 bits, but where c stands far from T, far bits only decide the direction of rounding and are kept as 1
// in the last bit of the magnitude (sticky), well below the 24 bits that are kept and the one after them:
//
//   distance >= 86       |T| is below a quarter of c's last place: only its sign counts
//   distance 64 to 85    c's last place is at least 2^64: the low 48 bits of T are sticky
//   distance 0 to 63     exact
//   distance below 0     |T| >= 2^32 > 2^8 |c|: the fraction of c is sticky. Smaller T: exact to 26 bits after the
//                        point; what is lost below has |c| < 1/8, and T is 0 (then the sum is c) or at least 1.
module amp_sum (
    input  logic        valid_i,
    input  logic [63:0] limb_0_i,
    input  logic [63:0] limb_1_i,
    input  logic [ 9:0] unit_i,          // exponent of the unit plus 662
    input  logic        all_negative_i,  // no product is positive
    input  logic [31:0] c_i,
    output logic [63:0] magnitude_o,     // the last bit is sticky
    output logic [ 9:0] exponent_o,      // of the magnitude's last bit, plus 662
    output logic        sign_o           // also of a sum of zero
);
  logic [9:0] place;  // distance plus 512; 0 for c = 0
  logic [7:0] c_exponent;
  logic [9:0] exponent, below;
  logic [63:0] c, limb_0, limb_1, window, c_kept;
  logic [63:0] upper, upper_magnitude;
  logic [31:0] lower, lower_magnitude;
  logic use_window, sticky, above_32;
  always_comb begin
    place = 10'd0;
    c_exponent = 8'd0;
    exponent = 10'd0;
    below = 10'd0;
    c = 64'd0;
    c_kept = 64'd0;
    limb_0 = limb_0_i;
    limb_1 = limb_1_i;
    window = 64'd0;
    upper = 64'd0;
    lower = 32'd0;
    upper_magnitude = 64'd0;
    lower_magnitude = 32'd0;
    use_window = 1'b0;
    sticky = 1'b0;
    above_32 = 1'b0;
    magnitude_o = 64'd0;
    exponent_o = 10'd0;
    sign_o = 1'b0;
    if (valid_i) begin
      c_exponent = {c_i[30:24], c_i[23] | (c_i[30:23] == 8'd0)};
      c = {40'b0, c_i[30:23] != 8'd0, c_i[22:0]};
      if (c != 64'd0) place = {2'b0, c_exponent} - unit_i;
      c = (c ^ {64{c_i[31]}}) + {63'b0, c_i[31]};  // by a mask: as good as random to a simulator
      exponent = unit_i;

      if (place[9:6] == 4'b1000) begin
        c_kept = c << place[4:0];
        limb_0 = limb_0_i + (c_kept & ~{64{place[5]}});
        limb_1 = limb_1_i + (c_kept & {64{place[5]}});
      end
      upper = limb_1 + {{32{limb_0[63]}}, limb_0[63:32]};
      lower = limb_0[31:0];

      if (place >= 10'd598) begin
        use_window = 1'b1;
        window = c << 38;
        if (upper[63]) window = window - 64'd1;
        else if (upper != 64'd0 || lower != 32'd0) window = window + 64'd1;
        exponent = {2'b0, c_exponent} + 10'd474;
      end else if (place >= 10'd576) begin
        use_window = 1'b1;
        sticky = upper[15:0] != 16'd0 || lower != 32'd0;
        below = place - 10'd560;
        window = {{16{upper[63]}}, upper[63:16]} + (c << below[5:0]);
        exponent = unit_i + 10'd48;
      end else if (place < 10'd512 && c != 64'd0) begin
        if (upper == 64'd0 && lower == 32'd0) begin
          use_window = 1'b1;
          window = c;
          exponent = {2'b0, c_exponent} + 10'd512;
        end else begin
          // c goes right from the point, or from 26 bits left of it.
          use_window = (upper == 64'd0) | (upper == 64'hffff_ffff_ffff_ffff);
          below = 10'd512 - place;
          c_kept = c;
          if (use_window) begin
            window = {upper[5:0], lower, 26'b0};
            exponent = unit_i - 10'd26;
            if (below <= 10'd26) c_kept = c << (5'd26 - below[4:0]);
            below = below <= 10'd26 ? 10'd0 : below - 10'd26;
          end
          if (below >= 10'd32) below = 10'd32;
          sticky = (c_kept & ((64'd1 << below[5:0]) - 64'd1)) != 64'd0;
          c_kept = $signed(c_kept) >>> below[5:0];
          if (use_window) begin
            window = window + c_kept;
          end else begin
            limb_0 = limb_0_i + c_kept;
            upper = limb_1_i + {{32{limb_0[63]}}, limb_0[63:32]};
            lower = limb_0[31:0];
          end
        end
      end
      if (use_window) begin
        upper = {{32{window[63]}}, window[63:32]};
        lower = window[31:0];
      end
      lower[0] = lower[0] | sticky;

      lower_magnitude = (lower ^ {32{upper[63]}}) + {31'b0, upper[63]};
      upper_magnitude = (upper ^ {64{upper[63]}}) + {63'b0, upper[63] & (lower == 32'd0)};
      above_32 = upper_magnitude[63:32] != 32'd0;
      magnitude_o = above_32 ? {upper_magnitude[63:1], upper_magnitude[0] | (lower_magnitude != 32'd0)}
                          : {upper_magnitude[31:0], lower_magnitude};
      exponent_o = exponent + {4'b0, above_32, 5'b0};
      if (magnitude_o == 64'd0) sign_o = c_i[31] & all_negative_i;
      else sign_o = upper[63];
    end
  end
endmodule
