// NaN and infinity among the products of one unit of the matrix engine: looked for in X2 only where an operand is NaN or
// infinite, and told in M.
(* simulation_speed *)
module amp_special (
    input  logic        clk_i,       // gated
    input  logic        valid_i,
    input  logic        f32_i,
    input  logic        f8_i,
    input  logic [ 7:0] lanes_i,     // as in amp_unit
    input  logic        x_special_i, // as amp_inputs gives them
    input  logic [ 7:0] x_sign_i,
    input  logic [ 7:0] x_nan_i,
    input  logic [ 7:0] x_snan_i,
    input  logic [ 7:0] x_inf_i,
    input  logic [ 7:0] x_zero_i,
    input  logic [63:0] w_i,
    output logic [ 3:0] special_o    // M: an operand is NaN; a signalling NaN, or 0 * infinity; a product is +infinity; -infinity
);
  always_ff @(posedge clk_i) begin : look
    // One lane at a time: of the weight, and of the input.
    logic [63:0] any;
    logic [30:0] magnitude, full;
    logic w_sign, w_nan, w_snan, w_inf, w_zero, product_inf;
    logic nan, invalid, positive, negative;
    logic upper;  // f32: lane 1
    logic [2:0] lane;
    any = 64'd0;
    magnitude = 31'd0;
    full = 31'd0;
    w_sign = 1'b0;
    w_nan = 1'b0;
    w_snan = 1'b0;
    w_inf = 1'b0;
    w_zero = 1'b0;
    product_inf = 1'b0;
    nan = 1'b0;
    invalid = 1'b0;
    positive = 1'b0;
    negative = 1'b0;
    upper = 1'b0;
    lane = 3'd0;
    if (valid_i) begin
      upper = f32_i & lanes_i[4];
      if (f8_i) begin
        // A byte of 80, the NaN, becomes 0 in the difference and borrows into its own upper bit.
        any = w_i ^ 64'h8080_8080_8080_8080;
        any = (any - 64'h0101_0101_0101_0101) & ~any & 64'h8080_8080_8080_8080;
      end else begin
        // A full exponent carries into the sign's place.
        any = (w_i & 64'h7c00_7c00_7c00_7c00) + 64'h0400_0400_0400_0400;
        any = any & 64'h8000_8000_8000_8000;
        if (f32_i) any = {63'd0, (upper ? w_i[62:55] : w_i[30:23]) == 8'd255};
      end
      if (any != 64'd0 || x_special_i) begin
        if (f8_i) begin
          for (int i = 0; i < 8; i++) begin
            nan = nan | x_nan_i[i] | (w_i[8*i+:8] == 8'h80);
          end
        end else begin
          for (int i = 0; i < 4; i++) begin
            if (f32_i ? i == 0 : lanes_i[i]) begin
              lane = {upper, i[1:0]};
              if (f32_i) begin
                full = 31'h7f80_0000;
                {w_sign, magnitude} = upper ? w_i[63:32] : w_i[31:0];
              end else begin  // an f16 in the upper half, where sign and magnitude stand as those of an f32
                full = 31'h7c00_0000;
                {w_sign, magnitude} = {w_i[16*i+:16], 16'b0};
              end
              w_nan = magnitude > full;
              w_snan = w_nan & !(f32_i ? magnitude[22] : magnitude[25]);
              w_inf = magnitude == full;
              w_zero = magnitude == 31'd0;
              nan = nan | w_nan | x_nan_i[lane];
              invalid = invalid | w_snan | x_snan_i[lane] | (w_inf & x_zero_i[lane]) | (w_zero & x_inf_i[lane]);
              product_inf = (w_inf | x_inf_i[lane]) & !w_nan & !x_nan_i[lane];
              positive = positive | (product_inf & (w_sign == x_sign_i[lane]));
              negative = negative | (product_inf & (w_sign != x_sign_i[lane]));
            end
          end
        end
      end
      special_o <= {nan, invalid, positive, negative};
    end
  end
endmodule
