// Integer division and remainder of RV32M: a ring of six register stages, one per context, seven passes.
//
// An instruction passes X1 every six cycles. valid_i is high on every pass, start_i on the first (which takes operation
// and operands), last_i on the seventh; the result is combinational in M, two cycles after the last pass. Seven passes
// make 37 steps, one quotient bit each, so the dividend enters with five zeros in front.
module int_divide (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        test_en_i,  // the clock runs always (clock_gate)
    input  logic        wake_i,     // X1 may hold an operation of this unit in the next cycle
    input  logic        valid_i,
    input  logic        start_i,
    input  logic        last_i,
    input  logic [ 1:0] op_i,       // fp_pkg::DIVIDE_*
    input  logic [31:0] a_i,        // dividend
    input  logic [31:0] b_i,        // divisor
    output logic [31:0] result_o
);
  // What an operation carries round the ring unchanged.
  typedef struct packed {
    logic wants_remainder;
    logic negate_quotient;
    logic negate_remainder;
  } tag_t;

  logic [4:0] busy_q;  // bit k: stage k + 1 holds an operation
  logic last_q, finished_q;  // the operation in stage 1 (2) has made its last pass; in stage 2 it is in M
  logic moves_on, gclk;
  assign moves_on = busy_q[1] & !finished_q;

  always_ff @(posedge gclk) begin
    if (!rst_ni) begin
      busy_q <= 5'd0;
      last_q <= 1'b0;
      finished_q <= 1'b0;
    end else begin
      busy_q <= {busy_q[3:2], moves_on, busy_q[0], valid_i};
      last_q <= valid_i & last_i;
      finished_q <= last_q;
    end
  end

  unit_clock u_clock (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .opens_i(wake_i | valid_i | busy_q[0] | moves_on | (busy_q[3:2] != 2'd0) | !rst_ni),
      .works_i(valid_i | busy_q[0] | moves_on | (busy_q[4:2] != 3'd0)),
      .gclk_o (gclk)
  );

  // X1 of the first pass: signs and magnitudes.
  logic is_signed, a_negative, b_negative;
  logic [31:0] a_magnitude, b_magnitude;
  tag_t start_tag;
  always_comb begin
    is_signed = 1'b0;
    a_negative = 1'b0;
    b_negative = 1'b0;
    a_magnitude = 32'd0;
    b_magnitude = 32'd0;
    start_tag = '0;
    if (valid_i && start_i) begin
      is_signed = op_i == fp_pkg::DIVIDE_DIV || op_i == fp_pkg::DIVIDE_REM;
      a_negative = is_signed & a_i[31];
      b_negative = is_signed & b_i[31];
      a_magnitude = a_negative ? -a_i : a_i;
      b_magnitude = b_negative ? -b_i : b_i;
      start_tag.wants_remainder = op_i == fp_pkg::DIVIDE_REM || op_i == fp_pkg::DIVIDE_REMU;
      start_tag.negate_quotient = (a_negative ^ b_negative) & (b_i != 32'd0);
      start_tag.negate_remainder = a_negative;
    end
  end

  // Element k is what stage k holds, as X1 and the next stage see it.
  wire [31:0] remainder_at[1:6];
  wire [36:0] dividend_at[1:6];
  wire [31:0] divisor_at[1:6];
  wire [2:0] tag_at[1:6];

  // What enters stage 1 in X1: a new operation, or what comes round. Under valid_i, so that an idle ring costs a
  // simulation one test.
  logic [31:0] remainder_x1;
  logic [36:0] dividend_x1;
  logic [31:0] divisor_x1;
  logic [2:0] tag_x1;
  (* simulation_speed *)
  always_comb begin
    remainder_x1 = 32'd0;
    dividend_x1 = 37'd0;
    divisor_x1 = 32'd0;
    tag_x1 = 3'd0;
    if (valid_i) begin
      if (start_i) begin
        remainder_x1 = 32'd0;
        dividend_x1 = {5'b0, a_magnitude};
        divisor_x1 = b_magnitude;
        tag_x1 = start_tag;
      end else begin
        remainder_x1 = remainder_at[6];
        dividend_x1 = dividend_at[6];
        divisor_x1 = divisor_at[6];
        tag_x1 = tag_at[6];
      end
    end
  end

  int_divide_stage u_stage_1 (
      .clk_i      (gclk),
      .en_i       (valid_i),
      .step_i     (!start_i),
      .remainder_i(remainder_x1),
      .dividend_i (dividend_x1),
      .divisor_i  (divisor_x1),
      .tag_i      (tag_x1),
      .remainder_o(remainder_at[1]),
      .dividend_o (dividend_at[1]),
      .divisor_o  (divisor_at[1]),
      .tag_o      (tag_at[1])
  );

  logic [6:2] enters;  // bit k: an operation enters stage k
  assign enters = {busy_q[4:2], moves_on, busy_q[0]};
  for (genvar k = 2; k <= 6; k++) begin : g_stage
    int_divide_stage u_stage (
        .clk_i      (gclk),
        .en_i       (enters[k]),
        .step_i     (1'b1),
        .remainder_i(remainder_at[k-1]),
        .dividend_i (dividend_at[k-1]),
        .divisor_i  (divisor_at[k-1]),
        .tag_i      (tag_at[k-1]),
        .remainder_o(remainder_at[k]),
        .dividend_o (dividend_at[k]),
        .divisor_o  (divisor_at[k]),
        .tag_o      (tag_at[k])
    );
  end

  // M: stage 2 after the last pass.
  tag_t tag;
  logic [31:0] quotient;
  always_comb begin
    tag = tag_at[2];
    quotient = dividend_at[2][31:0];
    if (tag.wants_remainder) result_o = tag.negate_remainder ? -remainder_at[2] : remainder_at[2];
    else result_o = tag.negate_quotient ? -quotient : quotient;
  end
endmodule
