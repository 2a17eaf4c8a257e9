// Latch-based clock gate: gclk_o carries the high phases of clk_i whose preceding low phase ended with en_i or test_en_i
// high.
//
// The latch is open while the clock is low, so that gclk_o has no short pulses. A register on gclk_o sees exactly the
// edges that end a cycle in which en_i was high. In the tile en_i is a register; test_en_i lets every edge through, for
// scan chains, and changes nothing that a program sees: registers behind a gate hold what nobody needs, or hold it by
// themselves.
module clock_gate (
    input  logic clk_i,
    input  logic en_i,
    input  logic test_en_i,
    output logic gclk_o
);
`ifdef TESSERA_BOTH_EDGES
  // A simulation whose clock rises after everything else has settled and falls with the registers' new values (tile.sv).
  (* simulation_speed *)
  assign gclk_o = clk_i & (en_i | test_en_i);
`else
  logic en_held;

  always_latch begin
    if (!clk_i) en_held = en_i | test_en_i;
  end

  assign gclk_o = clk_i & en_held;
`endif
endmodule
