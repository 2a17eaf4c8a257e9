// Latch-based clock gate: gclk_o carries the high phases of clk_i whose preceding low phase ended with en_i high.
//
// The latch is open while the clock is low, so en_i may come from logic behind rising-edge registers and gclk_o has no
// short pulses. A register on gclk_o sees exactly the edges that end a cycle in which en_i was high.
module clock_gate (
    input  logic clk_i,
    input  logic en_i,
    output logic gclk_o
);
`ifdef TESSERA_BOTH_EDGES
  // A simulation whose clock rises after everything else has settled and falls with the registers' new values (tile.sv).
  assign gclk_o = clk_i & en_i;
`else
  logic en_held;

  always_latch begin
    if (!clk_i) en_held = en_i;
  end

  assign gclk_o = clk_i & en_held;
`endif
endmodule
