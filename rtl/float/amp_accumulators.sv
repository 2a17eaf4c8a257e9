// The accumulators of the matrix engine: rows A and S of sixteen f32 for every context, read whole in X2 and written in M:
// a worker's next instruction is six cycles behind.
//
// Two rows of storage a context change roles instead of changing places: swapped_q tells that A stands in the odd one.
// A fresh context's accumulators are 0 whatever is stored: after reset and zacc, until something is written.
module amp_accumulators (
    input  logic                      clk_i,            // gated
    input  logic                      rst_ni,
    // X2
    input  logic                      x2_valid_i,
    input  logic              [  2:0] x2_context_i,
    input  logic                      x2_turn_i,        // the rows change places first
    output logic              [511:0] x2_a_o,           // as before the instruction, but after a turn
    // M
    input  logic                      valid_i,
    input  logic                      commit_i,
    input  logic              [  2:0] context_i,
    input  amp_format::move_t         move_i,
    input  logic              [  2:0] group_i,          // of gina
    input  logic              [127:0] partial_i,        // partial sums in, lane 0 lowest
    input  logic              [ 15:0] units_i,          // units that computed,
    input  logic              [511:0] sums_i,           // and their sums
    output logic              [511:0] a_o,              // as in X2
    output logic              [127:0] s_o,              // its first four
    // The debugger: A, then S
    input  logic                      debug_read_i,
    input  logic                      debug_write_i,
    input  logic              [  2:0] debug_context_i,
    input  logic              [  4:0] debug_address_i,
    input  logic              [ 31:0] debug_wdata_i,
    output logic              [ 31:0] debug_rdata_o
);
  logic [511:0] row_q[0:15];  // by context and role bit
  logic [7:0] swapped_q, fresh_q;

  logic swapped_d;
  logic [511:0] s_row_d;
  always_comb begin
    swapped_d = 1'b0;
    x2_a_o = 512'd0;
    s_row_d = 512'd0;
    if (x2_valid_i) begin
      swapped_d = swapped_q[x2_context_i] ^ x2_turn_i;
      if (!fresh_q[x2_context_i]) begin
        x2_a_o = row_q[{x2_context_i, swapped_d}];
        s_row_d = row_q[{x2_context_i, !swapped_d}];
      end
    end
  end
  logic [511:0] a_row_q, s_row_q;
  logic swapped_m_q;
  always_ff @(posedge clk_i) begin
    if (x2_valid_i) begin
      a_row_q <= x2_a_o;
      s_row_q <= s_row_d;
      swapped_m_q <= swapped_d;
    end
  end
  assign a_o = a_row_q;
  assign s_o = s_row_q[127:0];
  logic unused;
  assign unused = ^{move_i.turn, move_i.tap, move_i.addend, move_i.narrow_in};

  // Rows after the instruction.
  logic [511:0] a_d, s_d;
  always_comb begin
    a_d = a_row_q;
    if (move_i.gather) begin
      for (int u = 0; u < 16; u++) begin
        if (move_i.four ? group_i[1:0] == 2'(u / 4) : group_i == 3'(u / 2)) begin
          a_d[32*u+:32] = move_i.four ? partial_i[32*(u%4)+:32] : partial_i[32*(u%2)+:32];
        end
      end
    end else begin
      for (int u = 0; u < 16; u++) begin
        if (units_i[u]) a_d[32*u+:32] = sums_i[32*u+:32];
      end
    end
  end
  always_comb begin
    s_d = s_row_q;
    if (move_i.chain) begin
      if (move_i.four) s_d = {partial_i, s_row_q[511:128]};
      else if (move_i.half_units) s_d = {s_row_q[511:256], partial_i[63:0], s_row_q[255:64]};
      else s_d = {partial_i[63:0], s_row_q[511:64]};
    end
  end

  // The debugger reads and changes single words. No whole row is made outside the gated clock: this logic is behind
  // inputs of the tile, and a simulation goes through it at every edge of the clock.
  logic debug_row;
  (* simulation_speed *)
  always_comb begin
    debug_row = 1'b0;
    debug_rdata_o = 32'd0;
    if (debug_read_i || debug_write_i) begin
      debug_row = debug_address_i[4] ^ swapped_q[debug_context_i];
      if (!fresh_q[debug_context_i]) begin
        debug_rdata_o = row_q[{debug_context_i, debug_row}][{debug_address_i[3:0], 5'd0}+:32];
      end
    end
  end

  always_ff @(posedge clk_i) begin : write_rows
    logic [511:0] row;
    if (debug_write_i) begin
      row = fresh_q[debug_context_i] ? 512'd0 : row_q[{debug_context_i, debug_row}];
      row = row ^ ({480'd0, debug_rdata_o ^ debug_wdata_i} << {debug_address_i[3:0], 5'd0});
      row_q[{debug_context_i, debug_row}] <= row;
      if (fresh_q[debug_context_i]) row_q[{debug_context_i, !debug_row}] <= 512'd0;
    end else if (valid_i && commit_i && !move_i.clear) begin
      row_q[{context_i, swapped_m_q}] <= a_d;
      if (move_i.chain || fresh_q[context_i]) row_q[{context_i, !swapped_m_q}] <= s_d;
    end
    if (!rst_ni) begin
      swapped_q <= 8'h00;
      fresh_q <= 8'hff;
    end else if (debug_write_i) begin
      fresh_q[debug_context_i] <= 1'b0;
    end else if (valid_i && commit_i) begin
      swapped_q[context_i] <= swapped_m_q;
      fresh_q[context_i] <= move_i.clear;
    end
  end
endmodule
