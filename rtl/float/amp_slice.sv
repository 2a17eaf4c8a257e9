// One of sixteen slices of the matrix engine: a unit with its weights, its two accumulators and its places in the chain of
// partial sums and among the taps.
//
// Moves read the other slices' accumulators in X2 (a_next_i, s_next_2_i, s_next_4_i) and are written in M.
module amp_slice #(
    parameter int Unit = 0
) (
    input  logic               clk_i,            // gated
    input  logic               weight_clk_i,     // gated: writes of weights
    input  logic               rst_ni,
    // Weights
    input  logic               weight_write_i,
    input  logic        [ 3:0] weight_unit_i,
    input  logic        [ 7:0] weight_words_i,
    input  logic        [63:0] weight_even_i,
    input  logic        [63:0] weight_odd_i,
    // X1, see amp_unit
    input  logic               valid_i,          // this unit computes
    input  logic               from_weights_i,   // with its weights; else with:
    input  logic        [63:0] lone_w_i,
    input  logic        [ 1:0] entry_i,
    input  logic               f32_i,
    input  logic               f8_i,
    input  logic               f8_wide_i,
    input  logic        [ 7:0] lanes_i,
    input  logic        [ 9:0] unit_i,
    input  logic        [ 7:0] x_sign_i,
    input  logic        [19:0] x_shift_low_i,
    input  logic        [19:0] x_shift_high_i,
    input  logic        [47:0] x_low_i,
    input  logic        [47:0] x_high_i,
    input  logic        [15:0] x_exponent_i,
    input  logic               x_special_i,
    input  logic        [ 7:0] x_nan_i,
    input  logic        [ 7:0] x_snan_i,
    input  logic        [ 7:0] x_inf_i,
    input  logic        [ 7:0] x_zero_i,
    // X2
    input  logic               valid_x2_i,
    input  amp_format::move_t  move_x2_i,
    input  logic        [31:0] partial_tap_i,    // partial sums in, of this unit's channel,
    input  logic        [31:0] partial_2_i,      // of its place among two,
    input  logic        [31:0] partial_4_i,      // and among four
    input  logic        [31:0] a_next_i,         // A of the next unit
    input  logic        [31:0] s_next_2_i,       // S of the unit two or four further on
    input  logic        [31:0] s_next_4_i,
    output logic        [31:0] a_o,
    output logic        [31:0] s_o,
    // M
    input  logic               valid_m_i,
    input  amp_format::move_t  move_m_i,
    input  logic               unit_m_i,         // this unit computed
    input  logic               write_i,          // the instruction retires and changes accumulators
    output logic               invalid_o,
    output logic               overflow_o,
    // The debugger
    input  logic               debug_read_i,     // of accumulators
    input  logic               debug_write_i,
    input  logic               debug_weights_i,  // read of weights
    input  logic        [ 2:0] debug_context_i,
    input  logic        [ 3:0] debug_unit_i,
    input  logic               debug_row_i,
    input  logic               debug_fresh_i,
    input  logic        [31:0] debug_wdata_i,
    input  logic        [ 1:0] debug_entry_i,
    output logic        [31:0] debug_row_0_o,
    output logic        [31:0] debug_row_1_o,
    output logic        [63:0] debug_weight_o
);
  logic unused;
  assign unused = ^{move_x2_i.group, move_x2_i.chain, move_m_i.tap, move_m_i.addend};
  logic [63:0] weight, w;
  amp_weights u_weights (
      .clk_i        (weight_clk_i),
      .rst_ni,
      .write_i      (weight_write_i && weight_unit_i == 4'(Unit) ? weight_words_i : 8'd0),
      .even_i       (weight_even_i),
      .odd_i        (weight_odd_i),
      .valid_i      (valid_i & from_weights_i),
      .phase_i      (entry_i),
      .w_o          (weight),
      .debug_read_i (debug_weights_i),
      .debug_entry_i,
      .debug_o      (debug_weight_o)
  );
  assign w = from_weights_i ? weight : lone_w_i;

  // X2. The last n of the chain take the partial sums.
  logic [31:0] c, moved_d, moved_q;
  logic takes_partial;
  always_comb begin
    c = 32'd0;
    moved_d = 32'd0;
    takes_partial = 1'b0;
    if (valid_x2_i) begin
      c = a_o;
      if (move_x2_i.tap) c = Unit % 4 == 3 ? partial_tap_i : a_next_i;
      if (move_x2_i.addend) c = partial_2_i;
      takes_partial = move_x2_i.gather;
      if (move_x2_i.four) takes_partial = takes_partial | (Unit >= 12);
      else if (move_x2_i.half_units) takes_partial = takes_partial | (Unit >= 6);
      else takes_partial = takes_partial | (Unit >= 14);
      if (takes_partial) moved_d = move_x2_i.four ? partial_4_i : partial_2_i;
      else moved_d = move_x2_i.four ? s_next_4_i : s_next_2_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_x2_i) moved_q <= moved_d;
  end

  logic [31:0] sum;
  amp_unit u_unit (
      .clk_i,
      .valid_i,
      .f32_i,
      .f8_i,
      .f8_wide_i,
      .lanes_i,
      .unit_i,
      .x_sign_i,
      .x_shift_low_i,
      .x_shift_high_i,
      .x_low_i,
      .x_high_i,
      .x_exponent_i,
      .x_special_i,
      .x_nan_i,
      .x_snan_i,
      .x_inf_i,
      .x_zero_i,
      .w_i       (w),
      .c_i       (c),
      .result_o  (sum),
      .invalid_o,
      .overflow_o
  );

  // M. A fresh context's accumulators that get nothing else are written with 0.
  logic [31:0] a_d, row_0, row_1;
  logic write_row_0, write_row_1, write_a, write_s;
  always_comb begin
    write_a = 1'b0;
    write_s = 1'b0;
    a_d = 32'd0;
    row_0 = 32'd0;
    row_1 = 32'd0;
    write_row_0 = 1'b0;
    write_row_1 = 1'b0;
    if (valid_m_i) begin
      write_a = unit_m_i;
      a_d = sum;
      if (move_m_i.gather) begin
        write_a = move_m_i.four ? move_m_i.group[1:0] == 2'(Unit / 4) : move_m_i.group == 3'(Unit / 2);
        a_d = moved_q;
      end
      write_s = move_m_i.chain & (Unit < 8 | !move_m_i.half_units);
      if (move_m_i.swapped) begin
        row_0 = write_s ? moved_q : 32'd0;
        row_1 = write_a ? a_d : 32'd0;
        write_row_0 = write_i & (move_m_i.fresh | write_s);
        write_row_1 = write_i & (move_m_i.fresh | write_a);
      end else begin
        row_0 = write_a ? a_d : 32'd0;
        row_1 = write_s ? moved_q : 32'd0;
        write_row_0 = write_i & (move_m_i.fresh | write_a);
        write_row_1 = write_i & (move_m_i.fresh | write_s);
      end
    end else if (debug_write_i) begin
      write_row_0 = debug_fresh_i;
      write_row_1 = debug_fresh_i;
      if (debug_unit_i == 4'(Unit)) begin
        if (debug_row_i) begin
          write_row_1 = 1'b1;
          row_1 = debug_wdata_i;
        end else begin
          write_row_0 = 1'b1;
          row_0 = debug_wdata_i;
        end
      end
    end
  end

  amp_accumulator u_accumulator (
      .clk_i,
      .valid_i        (valid_x2_i),
      .context_i      (move_x2_i.worker),
      .swapped_i      (move_x2_i.swapped),
      .fresh_i        (move_x2_i.fresh),
      .a_o,
      .s_o,
      .write_context_i(valid_m_i ? move_m_i.worker : debug_context_i),
      .write_row_0_i  (write_row_0),
      .write_row_1_i  (write_row_1),
      .row_0_i        (row_0),
      .row_1_i        (row_1),
      .debug_read_i,
      .debug_context_i,
      .debug_row_0_o,
      .debug_row_1_o
  );
endmodule
