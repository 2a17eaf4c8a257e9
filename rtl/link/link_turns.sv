// Takes packets to one way, one after the other, a word a cycle: after a source's turn that of the next source in the circle that wants it
// (docs/reference/link.md). The words of a packet are there without a gap once its first is.
module link_turns (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic [machine_pkg::LINK_SOURCES-1:0] wants_i,   // a packet that does not go yet, and may
  input  logic [machine_pkg::LINK_SOURCES-1:0] last_i,    // the word of the source is its packet's last
  output logic [machine_pkg::LINK_SOURCES-1:0] take_o,
  output logic                                 starts_o,  // the word taken is a packet's first
  output logic                                 free_o     // no packet goes
);
  logic [machine_pkg::LINK_SOURCES-1:0] after_q, owner_q, later, first;  // after_q: the sources behind the one that had the turn before

  assign later    = wants_i & after_q;
  assign first    = later != '0 ? later & (~later + 1'b1) : wants_i & (~wants_i + 1'b1);
  assign take_o   = owner_q != '0 ? owner_q : first;
  assign free_o   = owner_q == '0;
  assign starts_o = free_o && first != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      after_q <= '1;
      owner_q <= '0;
    end else begin
      if (starts_o) after_q <= ~(first | (first - 1'b1));
      owner_q <= (take_o & last_i) != '0 ? '0 : take_o;
    end
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/link.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_source_has_the_turn : assert ((take_o & (take_o - 1'b1)) == '0);
      way_does_not_rest_while_a_source_wants_it : assert (wants_i == '0 || take_o != '0);
    end
  end
`endif
endmodule
