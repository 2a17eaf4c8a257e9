// The weights of the matrix engine, CW: four entries a unit, one a phase. Kept by phase, as a step reads them.
//
// A load is in W in cycle c + 5; a step that is in X1 in cycle c + 8 is the first to see it.
module amp_weights (
    input  logic          clk_i,
    input  logic          rst_ni,
    // Loads
    input  logic          write_i,         // W
    input  logic          wide_i,          // two entries
    input  logic [   5:0] index_i,         // of the first entry, even for two
    input  logic [ 127:0] data_i,          // one entry: the low half
    output logic          busy_o,          // a load is on its way
    output logic          wakes_o,         // the gated clock is needed for a load in the next cycle
    // Steps, X1
    input  logic          gclk_i,          // gated: runs for steps, loads, the debugger's writes and in reset
    input  logic          read_i,
    input  logic          f32_i,           // two phases an entry
    input  logic [   2:0] phase_i,
    output logic [1023:0] w_o,             // X2: 64 bits a unit
    // The debugger, words of 32 bits
    input  logic          debug_read_i,
    input  logic          debug_write_i,
    input  logic [   6:0] debug_address_i,
    input  logic [  31:0] debug_wdata_i,
    output logic [  31:0] debug_rdata_o
);
  logic valid_1_q, valid_2_q, wide_1_q, wide_2_q;
  logic [5:0] index_1_q, index_2_q;
  logic [63:0] first_1_q, second_1_q, first_2_q, second_2_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_1_q <= 1'b0;
      valid_2_q <= 1'b0;
    end else begin
      valid_1_q <= write_i;
      valid_2_q <= valid_1_q;
    end
    if (write_i) begin
      wide_1_q <= wide_i;
      index_1_q <= index_i;
      first_1_q <= data_i[63:0];
      second_1_q <= data_i[127:64];
    end
    if (valid_1_q) begin
      wide_2_q <= wide_1_q;
      index_2_q <= index_1_q;
      first_2_q <= first_1_q;
      second_2_q <= second_1_q;
    end
  end
  assign busy_o = valid_1_q | valid_2_q;

  assign wakes_o = valid_1_q;

  // Rows of 64 bits a unit, by phase: those of even and of odd phases in memories of their own, since a load of two entries
  // writes one of each. A fresh row is 0 whatever is stored: since reset nothing was written.
  logic [1023:0] even_q[0:1];
  logic [1023:0] odd_q[0:1];
  logic [1:0] fresh_even_q, fresh_odd_q;
  always_ff @(posedge gclk_i) begin : write_even
    logic [1023:0] row;
    logic half;
    if (!rst_ni) begin
      fresh_even_q <= 2'b11;
    end else if (valid_2_q ? wide_2_q | !index_2_q[0] : debug_write_i & !debug_address_i[1]) begin
      half = valid_2_q ? index_2_q[1] : debug_address_i[2];
      row = fresh_even_q[half] ? 1024'd0 : even_q[half];
      for (int u = 0; u < 16; u++) begin
        if (valid_2_q & index_2_q[5:2] == 4'(u)) row[64*u+:64] = first_2_q;
        if (!valid_2_q & {debug_address_i[6:3], debug_address_i[0]} == {4'(u), 1'b0}) row[64*u+:32] = debug_wdata_i;
        if (!valid_2_q & {debug_address_i[6:3], debug_address_i[0]} == {4'(u), 1'b1}) row[64*u+32+:32] = debug_wdata_i;
      end
      even_q[half] <= row;
      fresh_even_q[half] <= 1'b0;
    end
  end
  always_ff @(posedge gclk_i) begin : write_odd
    logic [1023:0] row;
    logic half;
    if (!rst_ni) begin
      fresh_odd_q <= 2'b11;
    end else if (valid_2_q ? wide_2_q | index_2_q[0] : debug_write_i & debug_address_i[1]) begin
      half = valid_2_q ? index_2_q[1] : debug_address_i[2];
      row = fresh_odd_q[half] ? 1024'd0 : odd_q[half];
      for (int u = 0; u < 16; u++) begin
        if (valid_2_q & index_2_q[5:2] == 4'(u)) row[64*u+:64] = wide_2_q ? second_2_q : first_2_q;
        if (!valid_2_q & {debug_address_i[6:3], debug_address_i[0]} == {4'(u), 1'b0}) row[64*u+:32] = debug_wdata_i;
        if (!valid_2_q & {debug_address_i[6:3], debug_address_i[0]} == {4'(u), 1'b1}) row[64*u+32+:32] = debug_wdata_i;
      end
      odd_q[half] <= row;
      fresh_odd_q[half] <= 1'b0;
    end
  end

  // In one process with the register, so that only a step's clock makes a simulator look at it.
  (* simulation_speed *)
  always_ff @(posedge gclk_i) begin : read_row
    logic [1:0] entry;
    if (read_i) begin
      entry = f32_i ? phase_i[2:1] : phase_i[1:0];
      if (entry[0]) w_o <= fresh_odd_q[entry[1]] ? 1024'd0 : odd_q[entry[1]];
      else w_o <= fresh_even_q[entry[1]] ? 1024'd0 : even_q[entry[1]];
    end
  end

  logic [9:0] debug_bit;
  assign debug_bit = {debug_address_i[6:3], debug_address_i[0], 5'd0};
  always_comb begin
    debug_rdata_o = 32'd0;
    if (debug_read_i) begin
      if (debug_address_i[1]) begin
        if (!fresh_odd_q[debug_address_i[2]]) debug_rdata_o = odd_q[debug_address_i[2]][debug_bit+:32];
      end else if (!fresh_even_q[debug_address_i[2]]) debug_rdata_o = even_q[debug_address_i[2]][debug_bit+:32];
    end
  end
endmodule
