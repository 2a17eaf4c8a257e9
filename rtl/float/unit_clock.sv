// The clock of a unit that stands still without work. The enable of its gate is a register, so that no path ends in a gate.
module unit_clock (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic test_en_i,  // the clock runs always (clock_gate)
    input  logic opens_i,    // it runs in the next cycle
    input  logic works_i,    // something is at work in this one: what opens_i has to have foreseen
    output logic gclk_o
);
  logic open_q;
  always_ff @(posedge clk_i) open_q <= opens_i;
  clock_gate u_gate (
      .clk_i,
      .en_i  (open_q),
      .test_en_i,
      .gclk_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      the_clock_runs_for_work : assert (!works_i || open_q);
    end
  end
`else
  logic unused;
  assign unused = rst_ni & works_i;
`endif
endmodule
