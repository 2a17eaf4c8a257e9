// The result of an instruction of the matrix engine: partial sums out, chosen in X2 and rounded in M.
module amp_result (
    input  logic               clk_i,            // gated
    input  logic               valid_x2_i,
    input  logic               chain_i,          // give S, else A
    input  logic        [ 1:0] kind_i,           // amp_format::RESULT_*
    input  logic        [31:0] a_0_i,            // candidates: A of the units that end a channel, or of group 0,
    input  logic        [31:0] a_1_i,
    input  logic        [31:0] a_2_i,
    input  logic        [31:0] a_3_i,
    input  logic        [31:0] s_0_i,            // the first of the chain
    input  logic        [31:0] s_1_i,
    input  logic        [31:0] s_2_i,
    input  logic        [31:0] s_3_i,
    input  logic        [63:0] random_i,
    input  logic               stochastic_i,
    input  logic        [ 1:0] half_overflow_i,
    input  logic               valid_m_i,
    output logic        [63:0] result_o,         // M
    output logic               invalid_o,
    output logic               overflow_o
);
  logic [31:0] pick_0_q, pick_1_q, pick_2_q, pick_3_q;
  logic [63:0] random_q;
  logic [1:0] kind_q, half_overflow_q;
  logic stochastic_q;
  always_ff @(posedge clk_i) begin
    if (valid_x2_i) begin
      pick_0_q <= chain_i ? s_0_i : a_0_i;
      pick_1_q <= chain_i ? s_1_i : a_1_i;
      pick_2_q <= chain_i ? s_2_i : a_2_i;
      pick_3_q <= chain_i ? s_3_i : a_3_i;
      kind_q <= kind_i;
      stochastic_q <= stochastic_i;
      half_overflow_q <= half_overflow_i;
      if (stochastic_i) random_q <= random_i;
    end
  end

  logic low, high;  // lanes 0 and 1, lanes 2 and 3 are f16
  assign low = valid_m_i & (kind_q != amp_format::RESULT_SINGLE);
  assign high = valid_m_i & (kind_q == amp_format::RESULT_HALF_4);
  logic [15:0] half_0, half_1, half_2, half_3;
  logic [3:0] invalid, overflow;
  amp_half u_half_0 (
      .valid_i     (low),
      .stochastic_i(stochastic_q),
      .random_i    (random_q[15:0]),
      .half_overflow_i(half_overflow_q),
      .a_i         (pick_0_q),
      .result_o    (half_0),
      .invalid_o   (invalid[0]),
      .overflow_o  (overflow[0])
  );
  amp_half u_half_1 (
      .valid_i     (low),
      .stochastic_i(stochastic_q),
      .random_i    (random_q[31:16]),
      .half_overflow_i(half_overflow_q),
      .a_i         (pick_1_q),
      .result_o    (half_1),
      .invalid_o   (invalid[1]),
      .overflow_o  (overflow[1])
  );
  amp_half u_half_2 (
      .valid_i     (high),
      .stochastic_i(stochastic_q),
      .random_i    (random_q[47:32]),
      .half_overflow_i(half_overflow_q),
      .a_i         (pick_2_q),
      .result_o    (half_2),
      .invalid_o   (invalid[2]),
      .overflow_o  (overflow[2])
  );
  amp_half u_half_3 (
      .valid_i     (high),
      .stochastic_i(stochastic_q),
      .random_i    (random_q[63:48]),
      .half_overflow_i(half_overflow_q),
      .a_i         (pick_3_q),
      .result_o    (half_3),
      .invalid_o   (invalid[3]),
      .overflow_o  (overflow[3])
  );

  always_comb begin
    if (high) result_o = {half_3, half_2, half_1, half_0};
    else if (low) result_o = {32'hffff_ffff, half_1, half_0};
    else result_o = {pick_1_q, pick_0_q};
  end
  assign invalid_o = invalid != 4'd0;
  assign overflow_o = overflow != 4'd0;
endmodule
