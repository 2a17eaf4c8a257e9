// The result of an instruction of the matrix engine: partial sums out, rounded to f16 where it has f16. Combinational,
// in M.
module amp_result (
    input  logic        valid_i,
    input  logic [ 1:0] kind_i,           // amp_format::RESULT_*
    input  logic [31:0] sum_0_i,
    input  logic [31:0] sum_1_i,
    input  logic [31:0] sum_2_i,
    input  logic [31:0] sum_3_i,
    input  logic [63:0] random_i,
    input  logic        stochastic_i,
    input  logic [ 1:0] half_overflow_i,
    output logic [63:0] result_o,
    output logic        invalid_o,
    output logic        overflow_o
);
  logic low, high;  // lanes 0 and 1, lanes 2 and 3 are f16
  assign low = valid_i & (kind_i != amp_format::RESULT_SINGLE);
  assign high = valid_i & (kind_i == amp_format::RESULT_HALF_4);
  logic [15:0] half_0, half_1, half_2, half_3;
  logic [3:0] invalid, overflow;
  amp_half u_half_0 (
      .valid_i        (low),
      .stochastic_i,
      .random_i       (random_i[15:0]),
      .half_overflow_i,
      .a_i            (sum_0_i),
      .result_o       (half_0),
      .invalid_o      (invalid[0]),
      .overflow_o     (overflow[0])
  );
  amp_half u_half_1 (
      .valid_i        (low),
      .stochastic_i,
      .random_i       (random_i[31:16]),
      .half_overflow_i,
      .a_i            (sum_1_i),
      .result_o       (half_1),
      .invalid_o      (invalid[1]),
      .overflow_o     (overflow[1])
  );
  amp_half u_half_2 (
      .valid_i        (high),
      .stochastic_i,
      .random_i       (random_i[47:32]),
      .half_overflow_i,
      .a_i            (sum_2_i),
      .result_o       (half_2),
      .invalid_o      (invalid[2]),
      .overflow_o     (overflow[2])
  );
  amp_half u_half_3 (
      .valid_i        (high),
      .stochastic_i,
      .random_i       (random_i[63:48]),
      .half_overflow_i,
      .a_i            (sum_3_i),
      .result_o       (half_3),
      .invalid_o      (invalid[3]),
      .overflow_o     (overflow[3])
  );

  always_comb begin
    if (high) result_o = {half_3, half_2, half_1, half_0};
    else if (low) result_o = {32'hffff_ffff, half_1, half_0};
    else result_o = {sum_1_i, sum_0_i};
  end
  assign invalid_o = invalid != 4'd0;
  assign overflow_o = overflow != 4'd0;
endmodule
