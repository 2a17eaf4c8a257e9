// One stage of the ring int_divide: at most one step of restoring division of magnitudes, then a register.
//
// A step moves the dividend's upper bit into the remainder, subtracts the divisor where it fits, and puts the quotient
// bit in at the dividend's lower end. A divisor of zero always fits: the quotient becomes all ones and the remainder
// the dividend, as RV32M wants.
module int_divide_stage (
    input  logic        clk_i,         // gated
    input  logic        en_i,          // the inputs hold an operation
    input  logic        step_i,        // do a step; else only register
    input  logic [31:0] remainder_i,
    input  logic [36:0] dividend_i,    // its bits leave at the top, those of the quotient enter below
    input  logic [31:0] divisor_i,
    input  logic [ 2:0] tag_i,         // travels unchanged
    output logic [31:0] remainder_o,
    output logic [36:0] dividend_o,
    output logic [31:0] divisor_o,
    output logic [ 2:0] tag_o
);
  logic [32:0] moved, difference;
  logic fits;
  always_comb begin
    moved = 33'd0;
    difference = 33'd0;
    fits = 1'b0;
    if (en_i) begin
      moved = {remainder_i, dividend_i[36]};
      difference = moved - {1'b0, divisor_i};
      fits = !difference[32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      divisor_o <= divisor_i;
      tag_o <= tag_i;
      if (step_i) begin
        remainder_o <= fits ? difference[31:0] : moved[31:0];
        dividend_o <= {dividend_i[35:0], fits};
      end else begin
        remainder_o <= remainder_i;
        dividend_o <= dividend_i;
      end
    end
  end
endmodule
