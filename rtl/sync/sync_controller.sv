// Sync of a chip (docs/reference/exchange.md): gathers the requests of each zone up a tree of ANDs to the root, and
// scatters its acknowledgement down a tree to all tiles, where it is for one cycle, the same for all.
module sync_controller (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [machine_pkg::TILES-1:0]    request_i,
  input  logic [machine_pkg::TILES*4-1:0]  zone_i,    // of a raised request: 2 internal, 3 external, 4 host, 6 automatic, 7 replica
  input  logic [machine_pkg::TILES-1:0]    value_i,   // consensus contribution
  input  logic                             cancel_i,  // the host starts a tile: with this cycle all ends that is under way
  output logic [machine_pkg::TILES-1:0]    ack_o,
  output logic [machine_pkg::TILES*4-1:0]  ack_zone_o,    // which sync is over: 2, 3, 4 or 7
  output logic [machine_pkg::TILES-1:0]    consensus_o,
  output logic [machine_pkg::TILES*16-1:0] mark_o,    // zone 4, else 0
  // Of groups of chips: bit 0 zone 3, bit 1 zone 7
  input  logic [1:0]                       grouped_i,        // acknowledged from outside
  output logic [1:0]                       group_request_o,  // all tiles of the chip request it
  output logic [1:0]                       group_value_o,    // their consensus
  input  logic [1:0]                       group_answer_i,
  input  logic [1:0]                       group_consensus_i,
  // Host port
  input  logic                             edge_idle_i,     // no packet queued or in flight
  output logic                             host_waiting_o,  // the host is notified and has not answered
  input  logic                             mark_valid_i,    // counts only while host_waiting_o
  input  logic [15:0]                      mark_i
);
  logic live;
  assign live = rst_ni && !cancel_i;

  sync_pkg::gathered_t all;
  sync_pkg::answer_t   answer;

  sync_gather u_gather (
    .clk_i,
    .rst_ni(live),
    .request_i,
    .zone_i,
    .value_i,
    .root_o(all)
  );

  sync_root u_root (
    .clk_i,
    .rst_ni(live),
    .all_i   (all),
    .answer_o(answer),
    .grouped_i,
    .group_request_o,
    .group_value_o,
    .group_answer_i,
    .group_consensus_i,
    .edge_idle_i,
    .host_waiting_o,
    .mark_valid_i,
    .mark_i
  );

  sync_scatter u_scatter (
    .clk_i,
    .rst_ni     (live),
    .root_i     (answer),
    .ack_o,
    .ack_zone_o,
    .consensus_o,
    .mark_o
  );

`ifndef SYNTHESIS
  // Promises of docs/reference/exchange.md, Sync controller: all tiles see the same.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      all_are_acknowledged_or_none : assert (ack_o == '0 || ack_o == '1);
      all_have_the_same_zone : assert (ack_zone_o == {machine_pkg::TILES{ack_zone_o[3:0]}});
      all_have_the_same_consensus : assert (consensus_o == '0 || consensus_o == '1);
      all_have_the_same_mark : assert (mark_o == {machine_pkg::TILES{mark_o[15:0]}});
    end
  end
`endif
endmodule
