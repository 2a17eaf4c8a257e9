// Floating-point division and square root, f32 and f16: a ring of six register stages, one per context.
//
// An instruction passes X1 every six cycles. valid_i is high on every pass, start_i on the first (which takes op,
// format, rounding mode and operands), last_i on the last; result and flags are combinational in M, two cycles after
// the last pass. Passes needed: f32 6, f16 4, for division and square root alike. With p passes the ring does 6 (p - 1)
// + 1 steps, one quotient bit each: 31 for f32 and 19 for f16, of which rounding needs 27 and 14 and the rest adds
// nothing.
module fp_divsqrt (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        test_en_i,  // the clock runs always (clock_gate)
    input  logic        wake_i,     // X1 may hold an operation of this unit in the next cycle
    input  logic        valid_i,
    input  logic        start_i,
    input  logic        last_i,
    input  logic [ 4:0] op_i,       // fp_pkg::OP_FDIV or OP_FSQRT
    input  logic        fmt_i,      // fp_pkg::FMT_*
    input  logic [ 2:0] rm_i,       // fp_pkg::RM_*
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    output logic [31:0] result_o,
    output logic [ 4:0] flags_o
);
  // What the result is, besides a rounded quotient.
  typedef enum logic [2:0] {
    QUOTIENT,
    ZERO,
    INFINITE,
    INFINITE_BY_ZERO,
    NAN_QUIET,
    NAN_INVALID
  } kind_e;

  // What an operation carries round the ring unchanged.
  typedef struct packed {
    logic [2:0] kind;  // kind_e
    logic sign;
    logic f16;
    logic [2:0] rm;
    logic signed [9:0] exponent;  // weight of the quotient's bit 30
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

  // X1 of the first pass: unpack, give subnormals a leading one, find the cases without a quotient.
  logic is_sqrt;
  fp_format::number_t a, b;
  logic [6:0] a_zeros, b_zeros;
  logic [23:0] a_significand, b_significand;
  logic signed [9:0] a_exponent, b_exponent;
  tag_t start_tag;
  logic [33:0] start_remainder;
  always_comb begin
    is_sqrt = op_i == fp_pkg::OP_FSQRT;
    a = '0;
    b = '0;
    a_zeros = 7'd0;
    b_zeros = 7'd0;
    a_significand = 24'd0;
    b_significand = 24'd0;
    a_exponent = 10'sd0;
    b_exponent = 10'sd0;
    start_tag = '0;
    start_remainder = 34'd0;
    if (valid_i && start_i) begin
      a = fp_format::unpack(fmt_i, a_i);
      b = fp_format::unpack(fmt_i, b_i);
      a_zeros = fp_format::leading_zeros({a.significand, 40'b0});
      b_zeros = fp_format::leading_zeros({b.significand, 40'b0});
      a_significand = a.significand << a_zeros[4:0];
      b_significand = b.significand << b_zeros[4:0];
      a_exponent = a.exponent - $signed({3'b0, a_zeros});
      b_exponent = b.exponent - $signed({3'b0, b_zeros});
      start_tag.f16 = fmt_i;
      start_tag.rm = rm_i;
      start_tag.kind = QUOTIENT;
      if (is_sqrt) begin
        start_tag.sign = a.sign;
        start_tag.exponent = a_exponent >>> 1;
        start_remainder = a_exponent[0] ? {2'b0, a_significand, 8'b0} : {3'b0, a_significand, 7'b0};
        if (a.nan) start_tag.kind = a.snan ? NAN_INVALID : NAN_QUIET;
        else if (a.significand == 24'd0) start_tag.kind = ZERO;
        else if (a.sign) start_tag.kind = NAN_INVALID;
        else if (a.inf) start_tag.kind = INFINITE;
      end else begin
        start_tag.sign = a.sign ^ b.sign;
        start_tag.exponent = a_exponent - b_exponent;
        start_remainder = {3'b0, a_significand, 7'b0};
        if (a.nan || b.nan) start_tag.kind = a.snan || b.snan ? NAN_INVALID : NAN_QUIET;
        else if (a.inf) start_tag.kind = b.inf ? NAN_INVALID : INFINITE;
        else if (b.inf) start_tag.kind = ZERO;
        else if (b.significand == 24'd0) start_tag.kind = a.significand == 24'd0 ? NAN_INVALID : INFINITE_BY_ZERO;
        else if (a.significand == 24'd0) start_tag.kind = ZERO;
      end
    end
  end

  // Element k is what stage k holds, as X1 and the next stage see it.
  wire is_sqrt_at[1:6];
  wire [33:0] remainder_at[1:6];
  wire [30:0] quotient_at[1:6];
  wire [30:0] digit_at[1:6];
  wire [23:0] divisor_at[1:6];
  wire [17:0] tag_at[1:6];

  // What enters stage 1 in X1: a new operation, or what comes round. Under valid_i, so that an idle ring costs a
  // simulation one test.
  logic is_sqrt_x1;
  logic [33:0] remainder_x1;
  logic [30:0] quotient_x1;
  logic [30:0] digit_x1;
  logic [23:0] divisor_x1;
  logic [17:0] tag_x1;
  (* simulation_speed *)
  always_comb begin
    is_sqrt_x1 = 1'd0;
    remainder_x1 = 34'd0;
    quotient_x1 = 31'd0;
    digit_x1 = 31'd0;
    divisor_x1 = 24'd0;
    tag_x1 = 18'd0;
    if (valid_i) begin
      if (start_i) begin
        is_sqrt_x1 = is_sqrt;
        remainder_x1 = start_remainder;
        quotient_x1 = 31'd0;
        digit_x1 = 31'h4000_0000;
        divisor_x1 = b_significand;
        tag_x1 = start_tag;
      end else begin
        is_sqrt_x1 = is_sqrt_at[6];
        remainder_x1 = remainder_at[6];
        quotient_x1 = quotient_at[6];
        digit_x1 = digit_at[6];
        divisor_x1 = divisor_at[6];
        tag_x1 = tag_at[6];
      end
    end
  end

  fp_divsqrt_stage u_stage_1 (
      .clk_i      (gclk),
      .en_i       (valid_i),
      .step_i     (!start_i),
      .is_sqrt_i  (is_sqrt_x1),
      .remainder_i(remainder_x1),
      .quotient_i (quotient_x1),
      .digit_i    (digit_x1),
      .divisor_i  (divisor_x1),
      .tag_i      (tag_x1),
      .is_sqrt_o  (is_sqrt_at[1]),
      .remainder_o(remainder_at[1]),
      .quotient_o (quotient_at[1]),
      .digit_o    (digit_at[1]),
      .divisor_o  (divisor_at[1]),
      .tag_o      (tag_at[1])
  );

  logic [6:2] enters;  // bit k: an operation enters stage k
  assign enters = {busy_q[4:2], moves_on, busy_q[0]};
  for (genvar k = 2; k <= 6; k++) begin : g_stage
    fp_divsqrt_stage u_stage (
        .clk_i      (gclk),
        .en_i       (enters[k]),
        .step_i     (1'b1),
        .is_sqrt_i  (is_sqrt_at[k-1]),
        .remainder_i(remainder_at[k-1]),
        .quotient_i (quotient_at[k-1]),
        .digit_i    (digit_at[k-1]),
        .divisor_i  (divisor_at[k-1]),
        .tag_i      (tag_at[k-1]),
        .is_sqrt_o  (is_sqrt_at[k]),
        .remainder_o(remainder_at[k]),
        .quotient_o (quotient_at[k]),
        .digit_o    (digit_at[k]),
        .divisor_o  (divisor_at[k]),
        .tag_o      (tag_at[k])
    );
  end

  // M: stage 2 after the last pass. The quotient is in (1/2, 2), a root in [1, 2).
  tag_t tag;
  logic [31:0] quotient;  // with the sign of a remainder as the last bit
  logic [63:0] aligned;
  logic signed [9:0] exponent, below;
  always_comb begin
    tag = tag_at[2];
    quotient = {quotient_at[2], remainder_at[2] != 34'd0};
    exponent = tag.exponent;
    if (!quotient[31]) begin
      quotient = {quotient[30:0], 1'b0};
      exponent = exponent - 10'sd1;
    end
    below = fp_format::exponent_min(tag.f16) - exponent;
    aligned = {quotient, 32'b0};
    if (below > 10'sd0) begin
      aligned = fp_format::shift_right_sticky(aligned, below);
      exponent = fp_format::exponent_min(tag.f16);
    end
  end

  logic [31:0] rounded;
  logic [ 4:0] rounded_flags;
  fp_round u_round (
      .f16_i        (tag.f16),
      .rm_i         (tag.rm),
      .sign_i       (tag.sign),
      .exponent_i   (exponent),
      .significand_i({aligned[63:38], aligned[37:0] != 38'd0}),
      .result_o     (rounded),
      .flags_o      (rounded_flags)
  );

  always_comb begin
    flags_o = 5'd0;
    case (tag.kind)
      ZERO: result_o = fp_format::signed_zero(tag.f16, tag.sign);
      INFINITE: result_o = fp_format::signed_infinity(tag.f16, tag.sign);
      INFINITE_BY_ZERO: begin
        result_o = fp_format::signed_infinity(tag.f16, tag.sign);
        flags_o[fp_pkg::FLAG_DZ] = 1'b1;
      end
      NAN_QUIET: result_o = fp_format::canonical_nan(tag.f16);
      NAN_INVALID: begin
        result_o = fp_format::canonical_nan(tag.f16);
        flags_o[fp_pkg::FLAG_NV] = 1'b1;
      end
      default: begin
        result_o = rounded;
        flags_o = rounded_flags;
      end
    endcase
  end
endmodule
