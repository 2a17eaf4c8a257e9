// Rounds an f32 to f16 as results of the matrix engine are: to nearest even or stochastically. Combinational.
//
// Only NV (signalling NaN) and OF are ever raised.
module amp_half (
    input  logic        valid_i,
    input  logic        stochastic_i,
    input  logic [15:0] random_i,
    input  logic [ 1:0] half_overflow_i,  // result of an overflow: 0 infinity, 1 the largest number, else NaN
    input  logic [31:0] a_i,
    output logic [15:0] result_o,
    output logic        invalid_o,
    output logic        overflow_o
);
  // Bit 16 of the fixed-point number is the last place of f16; the 16 bits below decide, lost bits stay as sticky.
  logic [39:0] wide, fixed;
  logic [5:0] shift;
  logic sticky, up;
  logic [16:0] carry;
  logic unused;
  assign unused = ^carry[15:0];
  logic [8:0] above;  // the f16's exponent field less 1 (0 also for subnormals)
  logic [18:0] magnitude;
  always_comb begin
    result_o = 16'd0;
    invalid_o = 1'b0;
    overflow_o = 1'b0;
    wide = 40'd0;
    fixed = 40'd0;
    shift = 6'd0;
    sticky = 1'b0;
    up = 1'b0;
    carry = 17'd0;
    above = 9'd0;
    magnitude = 19'd0;
    if (valid_i) begin
      wide = {a_i[30:23] != 8'd0, a_i[22:0], 16'b0};
      shift = 6'd13;
      if (a_i[30:23] < 8'd73) shift = 6'd53;  // below 2^-54: all bits are lost
      else if (a_i[30:23] < 8'd113) shift = 6'd53 - (a_i[28:23] - 6'd9);
      else above = {1'b0, a_i[30:23]} - 9'd113;
      fixed = wide >> shift;
      sticky = (fixed << shift) != wide;
      carry = {1'b0, fixed[15:0]} + {1'b0, random_i};
      if (stochastic_i) up = carry[16];
      else up = fixed[15] & (fixed[16] | sticky | (fixed[14:0] != 15'd0));
      magnitude = {above, 10'b0} + {8'b0, fixed[26:16]} + {18'b0, up};

      if (a_i[30:23] == 8'd255) begin
        result_o = a_i[22:0] == 23'd0 ? {a_i[31], 15'h7c00} : 16'h7e00;
        invalid_o = !a_i[22] & (a_i[22:0] != 23'd0);
      end else if (magnitude >= 19'h7c00) begin
        overflow_o = 1'b1;
        case (half_overflow_i)
          2'd0: result_o = {a_i[31], 15'h7c00};
          2'd1: result_o = {a_i[31], 15'h7bff};
          default: result_o = 16'h7e00;
        endcase
      end else begin
        result_o = {a_i[31], magnitude[14:0]};
      end
    end
  end
endmodule
