// The matrix engine of a tile: sixteen units (amp_unit) with weights shared by the workers and accumulators of each
// worker. Matrix steps, slim convolution, accumulator instructions (arithmetic.md).
//
//   X1  decode, inputs and weights taken apart and multiplied
//   X2  accumulators read, sums, partial sums in widened, partial sums out chosen
//   M   sums and partial sums out rounded; accumulators written when the instruction retires
//
// The accumulators may be read in X2 because a worker's next instruction is six cycles behind.
module amp (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         valid_i,          // X1 holds an instruction of unit Amp
    input  logic [  2:0] context_i,        // 1 to 6
    input  logic [  8:0] id_i,             // isa_pkg
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
  logic debug_read_rows, debug_write_rows, debug_read_weights, debug_write_weights;
  assign debug_read_rows = debug_read_i & !debug_weights_i & (debug_address_i[6:5] == 2'd0);
  assign debug_write_rows = debug_write_i & !debug_weights_i & (debug_address_i[6:5] == 2'd0);
  assign debug_read_weights = debug_read_i & debug_weights_i;
  assign debug_write_weights = debug_write_i & debug_weights_i;

  logic valid_x2_q, valid_m_q, gclk;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_x2_q <= 1'b0;
      valid_m_q <= 1'b0;
    end else begin
      valid_x2_q <= valid_i;
      valid_m_q <= valid_x2_q;
    end
  end
  clock_gate u_gate (
      .clk_i,
      .en_i  (valid_i | valid_x2_q | valid_m_q | debug_write_rows | !rst_ni),
      .gclk_o(gclk)
  );

  logic weight_busy, weight_write, weight_clk;
  logic [3:0] weight_unit;
  logic [7:0] weight_words;
  logic [63:0] weight_even, weight_odd;
  amp_store u_store (
      .clk_i,
      .rst_ni,
      .write_i        (cw_write_i),
      .wide_i         (cw_wide_i),
      .index_i        (cw_index_i),
      .data_i         (cw_data_i),
      .debug_write_i  (debug_write_weights),
      .debug_address_i,
      .debug_wdata_i,
      .busy_o         (weight_busy),
      .write_o        (weight_write),
      .unit_o         (weight_unit),
      .words_o        (weight_words),
      .even_o         (weight_even),
      .odd_o          (weight_odd)
  );
  clock_gate u_weight_gate (
      .clk_i,
      .en_i  (weight_write | !rst_ni),
      .gclk_o(weight_clk)
  );
  assign idle_o = !weight_busy;

  // X1
  logic f32, f8, from_weights, turn_d, chain_d, tap_d, gather_d, clear_d, narrow_in_d, four_d, half_units_d, addend_d;
  logic [1:0] entry, kind_d;
  logic [15:0] units_d;
  amp_decode u_decode (
      .valid_i,
      .id_i,
      .number_i    (number_i[2:0]),
      .f32_o       (f32),
      .f8_o        (f8),
      .entry_o     (entry),
      .units_o     (units_d),
      .weights_o   (from_weights),
      .turn_o      (turn_d),
      .chain_o     (chain_d),
      .tap_o       (tap_d),
      .gather_o    (gather_d),
      .clear_o     (clear_d),
      .narrow_in_o (narrow_in_d),
      .four_o      (four_d),
      .half_units_o(half_units_d),
      .result_o    (kind_d)
  );

  logic [7:0] x_sign, x_nan, x_snan, x_inf, x_zero;
  logic [19:0] x_shift_low, x_shift_high;
  logic [47:0] x_low, x_high;
  logic [15:0] x_exponent;
  logic x_special;
  amp_inputs u_inputs (
      .valid_i,
      .f32_i       (f32),
      .f8_i        (f8),
      .f8_wide_i   (f8_i[0]),
      .x_i         (a_i),
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

  wire [63:0] lone_w[0:3];
  wire [7:0] lone_lanes[0:3];
  amp_lone u_lone (
      .valid_i  (valid_i & !from_weights),
      .id_i,
      .b_i,
      .tas_i,
      .addend_o (addend_d),
      .w_0_o    (lone_w[0]),
      .w_1_o    (lone_w[1]),
      .w_2_o    (lone_w[2]),
      .w_3_o    (lone_w[3]),
      .lanes_0_o(lone_lanes[0]),
      .lanes_1_o(lone_lanes[1]),
      .lanes_2_o(lone_lanes[2]),
      .lanes_3_o(lone_lanes[3])
  );

  // Lanes of a step, and the exponent of the products' unit: 2^-48, f8 scaled.
  logic unused;
  assign unused = ^{f8_i[7:2], number_i[4:3]};
  logic [7:0] step_lanes;
  logic [9:0] step_unit;
  always_comb begin
    step_lanes = 8'h0f;
    step_unit = 10'd614;
    if (valid_i) begin
      if (f8) begin
        step_lanes = 8'hff;
        step_unit = 10'd614 + {{4{f8_i[13]}}, f8_i[13:8]};
      end else if (f32 && number_i[0]) begin
        step_lanes = 8'hf0;
      end
    end
  end

  amp_format::move_t move_q;  // as registered; swapped and fresh are filled in in X2
  logic [15:0] units_x2_q;
  logic turn_q, clear_x2_q, narrow_in_q, stochastic_q;
  logic [1:0] kind_q, half_overflow_q;
  logic [63:0] partial_q, random_q;
  always_ff @(posedge gclk) begin
    if (valid_i) begin
      move_q <= {context_i, number_i[2:0], 2'b00, chain_d, tap_d, gather_d, four_d, half_units_d, addend_d};
      units_x2_q <= units_d;
      turn_q <= turn_d;
      clear_x2_q <= clear_d;
      narrow_in_q <= narrow_in_d;
      kind_q <= kind_d;
      partial_q <= gather_d ? a_i : b_i;
      stochastic_q <= stochastic_i;
      half_overflow_q <= half_overflow_i;
      if (stochastic_i) random_q <= random_i;
    end
  end

  // X2: what comes in beside the products.
  logic [31:0] partial_0, partial_1, partial_2, partial_3;
  logic partial_invalid;
  always_comb begin
    partial_0 = 32'd0;
    partial_1 = 32'd0;
    partial_2 = 32'd0;
    partial_3 = 32'd0;
    partial_invalid = 1'b0;
    if (valid_x2_q) begin
      if (narrow_in_q) begin
        partial_0 = amp_format::widen(partial_q[15:0]);
        partial_1 = amp_format::widen(partial_q[31:16]);
        partial_invalid = amp_format::half_snan(partial_q[14:0]) | amp_format::half_snan(partial_q[30:16]);
        if (move_q.four) begin
          partial_2 = amp_format::widen(partial_q[47:32]);
          partial_3 = amp_format::widen(partial_q[63:48]);
          partial_invalid = partial_invalid | amp_format::half_snan(partial_q[46:32])
                            | amp_format::half_snan(partial_q[62:48]);
        end
      end else begin
        partial_0 = partial_q[31:0];
        partial_1 = partial_q[63:32];
      end
    end
  end

  logic [7:0] swapped_q, fresh_q;  // per context, see amp_accumulator
  amp_format::move_t move_x2, move_m_q;
  always_comb begin
    move_x2 = '0;
    if (valid_x2_q) begin
      move_x2 = move_q;
      move_x2.swapped = swapped_q[move_q.worker] ^ turn_q;
      move_x2.fresh = fresh_q[move_q.worker];
    end
  end

  // M
  logic [15:0] units_m_q;
  logic clear_m_q, partial_invalid_q, write_m;
  always_ff @(posedge gclk) begin
    if (valid_x2_q) begin
      move_m_q <= move_x2;
      units_m_q <= units_x2_q;
      clear_m_q <= clear_x2_q;
      partial_invalid_q <= partial_invalid;
    end
    if (!rst_ni) begin
      swapped_q <= 8'h00;
      fresh_q <= 8'hff;
    end else if (valid_m_q) begin
      if (commit_i) begin
        swapped_q[move_m_q.worker] <= move_m_q.swapped;
        fresh_q[move_m_q.worker] <= clear_m_q;
      end
    end else if (debug_write_rows) begin
      fresh_q[debug_context_i] <= 1'b0;
    end
  end
  assign write_m = valid_m_q & commit_i & !clear_m_q;

  logic debug_row;
  assign debug_row = debug_address_i[4] ^ swapped_q[debug_context_i];

  // By unit: rows A and S of the worker in X2, flags in M, and what the debugger reads. The two elements above the last
  // stand for the ends of the chain and are not used.
  wire [31:0] a_at[0:16];
  wire [31:0] s_at[0:19];
  wire [15:0] invalid_at, overflow_at;
  wire [31:0] debug_row_0[0:15];
  wire [31:0] debug_row_1[0:15];
  wire [63:0] debug_weight[0:15];
  wire [31:0] partial_at[0:3];
  assign partial_at[0] = partial_0;
  assign partial_at[1] = partial_1;
  assign partial_at[2] = partial_2;
  assign partial_at[3] = partial_3;
  assign a_at[16] = 32'd0;
  for (genvar u = 16; u < 20; u++) begin : g_end
    assign s_at[u] = 32'd0;
  end
  for (genvar u = 0; u < 16; u++) begin : g_slice
    amp_slice #(
        .Unit(u)
    ) u_slice (
        .clk_i          (gclk),
        .weight_clk_i   (weight_clk),
        .rst_ni,
        .weight_write_i (weight_write),
        .weight_unit_i  (weight_unit),
        .weight_words_i (weight_words),
        .weight_even_i  (weight_even),
        .weight_odd_i   (weight_odd),
        .valid_i        (units_d[u]),
        .from_weights_i (u < 4 ? from_weights : 1'b1),
        .lone_w_i       (lone_w[u%4]),
        .entry_i        (entry),
        .f32_i          (f32),
        .f8_i           (f8),
        .f8_wide_i      (f8_i[1]),
        .lanes_i        (u < 4 && !from_weights ? lone_lanes[u%4] : step_lanes),
        .unit_i         (step_unit),
        .x_sign_i       (x_sign),
        .x_shift_low_i  (x_shift_low),
        .x_shift_high_i (x_shift_high),
        .x_low_i        (x_low),
        .x_high_i       (x_high),
        .x_exponent_i   (x_exponent),
        .x_special_i    (x_special),
        .x_nan_i        (x_nan),
        .x_snan_i       (x_snan),
        .x_inf_i        (x_inf),
        .x_zero_i       (x_zero),
        .valid_x2_i     (valid_x2_q),
        .move_x2_i      (move_x2),
        .partial_tap_i  (partial_at[u/4]),
        .partial_2_i    (partial_at[u%2]),
        .partial_4_i    (partial_at[u%4]),
        .a_next_i       (a_at[u+1]),
        .s_next_2_i     (s_at[u+2]),
        .s_next_4_i     (s_at[u+4]),
        .a_o            (a_at[u]),
        .s_o            (s_at[u]),
        .valid_m_i      (valid_m_q),
        .move_m_i       (move_m_q),
        .unit_m_i       (units_m_q[u]),
        .write_i        (write_m),
        .invalid_o      (invalid_at[u]),
        .overflow_o     (overflow_at[u]),
        .debug_read_i   (debug_read_rows),
        .debug_write_i  (debug_write_rows),
        .debug_weights_i(debug_read_weights),
        .debug_context_i,
        .debug_unit_i   (debug_address_i[3:0]),
        .debug_row_i    (debug_row),
        .debug_fresh_i  (fresh_q[debug_context_i]),
        .debug_wdata_i,
        .debug_entry_i  (debug_address_i[2:1]),
        .debug_row_0_o  (debug_row_0[u]),
        .debug_row_1_o  (debug_row_1[u]),
        .debug_weight_o (debug_weight[u])
    );
  end

  // Partial sums out: of A the group of gina, the channels' first taps, or the first two.
  logic [31:0] a_out_0, a_out_1, a_out_2, a_out_3;
  always_comb begin
    a_out_0 = a_at[0];
    a_out_1 = move_x2.tap | units_x2_q[4] ? a_at[4] : a_at[1];
    a_out_2 = a_at[8];
    a_out_3 = a_at[12];
    if (move_x2.gather) begin
      for (int n = 0; n < 8; n++) begin
        if (!move_x2.four && move_x2.group == 3'(n)) begin
          a_out_0 = a_at[2*n];
          a_out_1 = a_at[2*n+1];
        end
      end
      for (int n = 0; n < 4; n++) begin
        if (move_x2.four && move_x2.group[1:0] == 2'(n)) begin
          a_out_0 = a_at[4*n];
          a_out_1 = a_at[4*n+1];
          a_out_2 = a_at[4*n+2];
          a_out_3 = a_at[4*n+3];
        end
      end
    end
  end

  logic result_invalid, result_overflow;
  amp_result u_result (
      .clk_i          (gclk),
      .valid_x2_i     (valid_x2_q),
      .chain_i        (move_x2.chain),
      .kind_i         (kind_q),
      .a_0_i          (a_out_0),
      .a_1_i          (a_out_1),
      .a_2_i          (a_out_2),
      .a_3_i          (a_out_3),
      .s_0_i          (s_at[0]),
      .s_1_i          (s_at[1]),
      .s_2_i          (s_at[2]),
      .s_3_i          (s_at[3]),
      .random_i       (random_q),
      .stochastic_i   (stochastic_q),
      .half_overflow_i(half_overflow_q),
      .valid_m_i      (valid_m_q),
      .result_o,
      .invalid_o      (result_invalid),
      .overflow_o     (result_overflow)
  );
  always_comb begin
    flags_o = 5'd0;
    flags_o[fp_pkg::FLAG_NV] = result_invalid | partial_invalid_q | (invalid_at != 16'd0);
    flags_o[fp_pkg::FLAG_OF] = result_overflow | (overflow_at != 16'd0);
  end

  always_comb begin
    debug_rdata_o = 32'd0;
    if (debug_read_rows && !fresh_q[debug_context_i]) begin
      for (int u = 0; u < 16; u++) begin
        if (debug_address_i[3:0] == 4'(u)) debug_rdata_o = debug_row ? debug_row_1[u] : debug_row_0[u];
      end
    end else if (debug_read_weights) begin
      for (int u = 0; u < 16; u++) begin
        if (debug_address_i[6:3] == 4'(u)) begin
          debug_rdata_o = debug_address_i[0] ? debug_weight[u][63:32] : debug_weight[u][31:0];
        end
      end
    end
  end
endmodule
