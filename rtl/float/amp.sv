// The matrix engine of a tile: sixteen units (amp_unit) with weights shared by the workers and accumulators of each
// worker. Matrix steps, slim convolution, accumulator instructions (arithmetic.md).
//
//   X1  weights and operands registered
//   X2  decode, accumulators read, inputs and weights taken apart and multiplied, partial sums in widened
//   M   sums and partial sums out rounded; accumulators written when the instruction retires
//
// Signals from outside the gated clock enter the datapath by registers only, so that an idle engine costs a simulation
// nothing.
module amp (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         test_en_i,        // the clock runs always (clock_gate)
    input  logic         wake_i,           // in the next cycle X1 may hold an operation of this unit, or debug_write_i be high
    input  logic         valid_i,          // X1 holds an instruction of unit Amp
    input  logic [  2:0] context_i,        // 1 to 6
    input  logic [  8:0] id_i,             // isa_pkg
    input  logic         step_i,           // it takes weights from CW, else from its operands
    input  logic [  4:0] number_i,         // phase of a step, n of gina
    input  logic [ 63:0] a_i,              // x, rs1
    input  logic [ 63:0] b_i,              // p, rs2
    input  logic [ 31:0] tas_i,
    input  logic [ 63:0] random_i,
    input  logic         stochastic_i,
    input  logic [  1:0] half_overflow_i,
    input  logic [ 13:0] f8_i,             // CSR xf8
    input  logic         commit_i,         // the instruction in M retires
    output logic [ 63:0] result_o,         // M
    output logic [  4:0] flags_o,
    input  logic         cw_write_i,       // W of a weight load
    input  logic         cw_wide_i,
    input  logic [  5:0] cw_index_i,       // of the first entry
    input  logic [127:0] cw_data_i,
    output logic         idle_o,           // no weight load is on its way
    // The debugger's access, while the tile waits.
    input  logic         debug_read_i,
    input  logic         debug_write_i,
    input  logic         debug_weights_i,  // CW, else accumulators
    input  logic [  2:0] debug_context_i,
    input  logic [  6:0] debug_address_i,  // 0 to 15 A, 16 to 31 S; words of CW
    input  logic [ 31:0] debug_wdata_i,
    output logic [ 31:0] debug_rdata_o
);
  logic debug_rows;
  assign debug_rows = !debug_weights_i & (debug_address_i[6:5] == 2'd0);

  // The gate stays open until the instruction has left M, and for writes of weights.
  logic valid_x2_q, valid_m_q, weights_wake, gclk;
  unit_clock u_clock (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .opens_i(wake_i | valid_i | valid_x2_q | weights_wake | !rst_ni),
      .works_i(valid_i | valid_x2_q | valid_m_q | debug_write_i),
      .gclk_o (gclk)
  );

  // X1
  logic [1023:0] weights;
  logic [31:0] debug_weight;
  logic weights_busy;
  amp_weights u_weights (
      .clk_i,
      .rst_ni,
      .write_i        (cw_write_i),
      .wide_i         (cw_wide_i),
      .index_i        (cw_index_i),
      .data_i         (cw_data_i),
      .busy_o         (weights_busy),
      .wakes_o        (weights_wake),
      .gclk_i         (gclk),
      .read_i         (valid_i),
      .f32_i          (id_i == isa_pkg::F32SISOV2AMP || id_i == isa_pkg::F32SISOV2AMPPACE ||
                       id_i == isa_pkg::F32SISOSLIC || id_i == isa_pkg::F32SISOSLICPACE),
      .phase_i        (number_i[2:0]),
      .w_o            (weights),
      .debug_read_i   (debug_read_i & debug_weights_i),
      .debug_write_i  (debug_write_i & debug_weights_i),
      .debug_address_i,
      .debug_wdata_i,
      .debug_rdata_o  (debug_weight)
  );
  assign idle_o = !weights_busy;

  logic step_q, stochastic_x2_q, unused;
  logic [2:0] context_x2_q, number_q;
  logic [8:0] id_q;
  logic [63:0] a_q, b_q, random_x2_q;
  logic [31:0] tas_q;
  logic [1:0] half_overflow_x2_q, f8_wide_q;
  logic [5:0] f8_scale_q;
  assign unused = ^{number_i[4:3], f8_i[7:2]};
  always_ff @(posedge gclk) begin
    valid_x2_q <= valid_i & rst_ni;
    if (valid_i) begin
      context_x2_q <= context_i;
      number_q <= number_i[2:0];
      id_q <= id_i;
      step_q <= step_i;
      a_q <= a_i;
      b_q <= b_i;
      tas_q <= tas_i;
      f8_wide_q <= f8_i[1:0];
      f8_scale_q <= f8_i[13:8];
      stochastic_x2_q <= stochastic_i;
      half_overflow_x2_q <= half_overflow_i;
      random_x2_q <= random_i;
    end
  end

  // X2
  logic f32, f8;
  logic [7:0] step_lanes;
  logic [15:0] units;
  logic [1:0] kind;
  amp_format::move_t move;
  amp_decode u_decode (
      .valid_i  (valid_x2_q),
      .id_i     (id_q),
      .number_i (number_q),
      .f32_o    (f32),
      .f8_o     (f8),
      .units_o  (units),
      .lanes_o  (step_lanes),
      .move_o   (move),
      .result_o (kind)
  );

  logic [7:0] x_sign, x_nan, x_snan, x_inf, x_zero;
  logic [19:0] x_shift_low, x_shift_high;
  logic [47:0] x_low, x_high;
  logic [15:0] x_exponent;
  logic x_special;
  amp_inputs u_inputs (
      .valid_i     (valid_x2_q),
      .f32_i       (f32),
      .f8_i        (f8),
      .f8_wide_i   (f8_wide_q[0]),
      .x_i         (a_q),
      .sign_o      (x_sign),
      .shift_low_o (x_shift_low),
      .shift_high_o(x_shift_high),
      .low_o       (x_low),
      .high_o      (x_high),
      .exponent_o  (x_exponent),
      .special_o   (x_special),
      .nan_o       (x_nan),
      .snan_o      (x_snan),
      .inf_o       (x_inf),
      .zero_o      (x_zero)
  );

  logic [255:0] lone_w;
  logic [31:0] lone_lanes;
  amp_lone u_lone (
      .valid_i  (valid_x2_q & !step_q),
      .id_i     (id_q),
      .b_i      (b_q),
      .tas_i    (tas_q),
      .w_0_o    (lone_w[63:0]),
      .w_1_o    (lone_w[127:64]),
      .w_2_o    (lone_w[191:128]),
      .w_3_o    (lone_w[255:192]),
      .lanes_0_o(lone_lanes[7:0]),
      .lanes_1_o(lone_lanes[15:8]),
      .lanes_2_o(lone_lanes[23:16]),
      .lanes_3_o(lone_lanes[31:24])
  );

  // Exponent of the products' unit: 2^-48, f8 scaled.
  logic [9:0] step_unit;
  assign step_unit = f8 ? 10'd614 + {{4{f8_scale_q[5]}}, f8_scale_q} : 10'd614;

  // Partial sums in, or what gina puts into the accumulators.
  logic [63:0] incoming;
  logic [127:0] partial_d;
  logic partial_invalid_d;
  always_comb begin
    incoming = 64'd0;
    partial_d = 128'd0;
    partial_invalid_d = 1'b0;
    if (valid_x2_q) begin
      incoming = move.gather ? a_q : b_q;
      partial_d[63:0] = incoming;
      if (move.narrow_in) begin
        for (int i = 0; i < 4; i++) begin
          if (i < 2 || move.four) begin
            partial_d[32*i+:32] = amp_format::widen(incoming[16*i+:16]);
            partial_invalid_d = partial_invalid_d | amp_format::half_snan(incoming[16*i+:15]);
          end
        end
      end
    end
  end

  logic stochastic_q, partial_invalid_q;
  logic [2:0] context_q, group_q;
  logic [1:0] kind_q, half_overflow_q;
  logic [15:0] units_q;
  logic [63:0] random_q;
  logic [127:0] partial_q;
  amp_format::move_t move_q;
  always_ff @(posedge gclk) begin
    valid_m_q <= valid_x2_q & rst_ni;
    if (valid_x2_q) begin
      context_q <= context_x2_q;
      group_q <= number_q;
      kind_q <= kind;
      units_q <= units;
      move_q <= move;
      partial_q <= partial_d;
      partial_invalid_q <= partial_invalid_d;
      stochastic_q <= stochastic_x2_q;
      half_overflow_q <= half_overflow_x2_q;
      random_q <= random_x2_q;
    end
  end

  // M
  wire [511:0] sums;
  logic [511:0] x2_a_row, a_row;
  logic [127:0] s_first;
  logic [31:0] debug_accumulator;
  amp_accumulators u_accumulators (
      .clk_i          (gclk),
      .rst_ni,
      .x2_valid_i     (valid_x2_q),
      .x2_context_i   (context_x2_q),
      .x2_turn_i      (move.turn),
      .x2_a_o         (x2_a_row),
      .valid_i        (valid_m_q),
      .commit_i,
      .context_i      (context_q),
      .move_i         (move_q),
      .group_i        (group_q),
      .partial_i      (partial_q),
      .units_i        (units_q),
      .sums_i         (sums),
      .a_o            (a_row),
      .s_o            (s_first),
      .debug_read_i   (debug_read_i & debug_rows),
      .debug_write_i  (debug_write_i & debug_rows),
      .debug_context_i,
      .debug_address_i(debug_address_i[4:0]),
      .debug_wdata_i,
      .debug_rdata_o  (debug_accumulator)
  );
  assign debug_rdata_o = debug_weights_i ? debug_weight : debug_accumulator;

  wire [15:0] invalid_at, overflow_at;
  for (genvar u = 0; u < 16; u++) begin : g_unit
    // Units 0 to 3 compute alone too. Connections are expressions, so that all units look alike to a simulator.
    logic [63:0] other_w;
    logic [7:0] other_lanes;
    logic [31:0] above, addend;
    if (u < 4) begin : g_lone
      assign other_w = lone_w[64*u+:64];
      assign other_lanes = lone_lanes[8*u+:8];
    end else begin : g_step
      assign other_w = 64'd0;
      assign other_lanes = 8'd0;
    end
    // The addend: A of this unit or of the next tap's, or a partial sum.
    if (u % 4 == 3) begin : g_last
      assign above = partial_d[32*(u/4)+:32];
    end else begin : g_tap
      assign above = x2_a_row[32*u+32+:32];
    end
    if (u < 2) begin : g_addend
      assign addend = move.addend ? partial_d[32*u+:32] : x2_a_row[32*u+:32];
    end else begin : g_sum
      assign addend = x2_a_row[32*u+:32];
    end

    (* simulation_speed *)
    amp_unit u_unit (
        .clk_i         (gclk),
        .valid_i       (valid_x2_q & units[u]),
        .f32_i         (f32),
        .f8_i          (f8),
        .f8_wide_i     (f8_wide_q[1]),
        .lanes_i       (step_q ? step_lanes : other_lanes),
        .unit_i        (step_unit),
        .x_sign_i      (x_sign),
        .x_shift_low_i (x_shift_low),
        .x_shift_high_i(x_shift_high),
        .x_low_i       (x_low),
        .x_high_i      (x_high),
        .x_exponent_i  (x_exponent),
        .x_special_i   (x_special),
        .x_nan_i       (x_nan),
        .x_snan_i      (x_snan),
        .x_inf_i       (x_inf),
        .x_zero_i      (x_zero),
        .w_i           (step_q ? weights[64*u+:64] : other_w),
        .c_i           (move.tap ? above : addend),
        .result_o      (sums[32*u+:32]),
        .invalid_o     (invalid_at[u]),
        .overflow_o    (overflow_at[u])
    );
  end

  // Partial sums out: the first of the chain; of A the group of gina, the channels' first taps, or the first two.
  logic [127:0] outgoing;
  always_comb begin
    outgoing = 128'd0;
    if (valid_m_q) begin
      if (move_q.chain) begin
        outgoing = s_first;
      end else if (move_q.gather) begin
        for (int n = 0; n < 4; n++) begin
          if (move_q.four && group_q[1:0] == 2'(n)) outgoing = a_row[128*n+:128];
        end
        for (int n = 0; n < 8; n++) begin
          if (!move_q.four && group_q == 3'(n)) outgoing[63:0] = a_row[64*n+:64];
        end
      end else if (units_q[4]) begin
        outgoing = {a_row[415:384], a_row[287:256], a_row[159:128], a_row[31:0]};
      end else begin
        outgoing[63:0] = a_row[63:0];
      end
    end
  end

  logic result_invalid, result_overflow;
  amp_result u_result (
      .valid_i        (valid_m_q),
      .kind_i         (kind_q),
      .sum_0_i        (outgoing[31:0]),
      .sum_1_i        (outgoing[63:32]),
      .sum_2_i        (outgoing[95:64]),
      .sum_3_i        (outgoing[127:96]),
      .random_i       (random_q),
      .stochastic_i   (stochastic_q),
      .half_overflow_i(half_overflow_q),
      .result_o,
      .invalid_o      (result_invalid),
      .overflow_o     (result_overflow)
  );
  always_comb begin
    flags_o = 5'd0;
    flags_o[fp_pkg::FLAG_NV] = result_invalid | partial_invalid_q | (invalid_at != 16'd0);
    flags_o[fp_pkg::FLAG_OF] = result_overflow | (overflow_at != 16'd0);
  end
endmodule
