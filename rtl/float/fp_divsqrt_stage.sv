// One stage of the ring fp_divsqrt: at most one step of the restoring recurrence, then a register.
//
// Fixed point with 30 fraction bits. A division finds the quotient's next digit by comparing remainder and divisor, a
// square root by comparing remainder and 2 * root + digit; a digit fits when the difference is not negative. The
// remainder doubles and the digit halves with every step.
module fp_divsqrt_stage (
    input  logic        clk_i,        // gated
    input  logic        en_i,         // the inputs hold an operation
    input  logic        step_i,       // do a step; else only register
    input  logic        is_sqrt_i,
    input  logic [33:0] remainder_i,
    input  logic [30:0] quotient_i,   // or root
    input  logic [30:0] digit_i,      // one bit: the weight of the next digit
    input  logic [23:0] divisor_i,
    input  logic [17:0] tag_i,        // travels unchanged
    output logic        is_sqrt_o,
    output logic [33:0] remainder_o,
    output logic [30:0] quotient_o,
    output logic [30:0] digit_o,
    output logic [23:0] divisor_o,
    output logic [17:0] tag_o
);
  logic [33:0] subtrahend;
  logic [32:0] difference;
  logic fits;
  always_comb begin
    subtrahend = 34'd0;
    difference = 33'd0;
    fits = 1'b0;
    if (en_i) begin
      subtrahend = is_sqrt_i ? {2'b0, quotient_i, 1'b0} | {3'b0, digit_i} : {3'b0, divisor_i, 7'b0};
      difference = remainder_i[32:0] - subtrahend[32:0];
      fits = remainder_i >= subtrahend;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      is_sqrt_o <= is_sqrt_i;
      divisor_o <= divisor_i;
      tag_o <= tag_i;
      if (step_i) begin
        remainder_o <= fits ? {difference, 1'b0} : {remainder_i[32:0], 1'b0};
        quotient_o <= fits ? quotient_i | digit_i : quotient_i;
        digit_o <= {1'b0, digit_i[30:1]};
      end else begin
        remainder_o <= remainder_i;
        quotient_o <= quotient_i;
        digit_o <= digit_i;
      end
    end
  end
endmodule
