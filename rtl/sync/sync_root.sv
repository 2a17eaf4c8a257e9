// Where a chip's sync is decided: a zone that has become complete is acknowledged once, after the way that lies between the
// trees and here and back, in the machine's number of cycles; zone 4 by the host, whom the edge lets hear of it when it has
// drained.
module sync_root (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  sync_pkg::gathered_t all_i,
  output sync_pkg::answer_t   answer_o,
  // Of groups of chips: bit 0 zone 3, bit 1 zone 7
  input  logic [1:0]          grouped_i,        // acknowledged from outside
  output logic [1:0]          group_request_o,  // all tiles of the chip request it
  output logic [1:0]          group_value_o,    // their consensus
  input  logic [1:0]          group_answer_i,
  input  logic [1:0]          group_consensus_i,
  // Host port
  input  logic                edge_idle_i,     // no packet queued or in flight
  output logic                host_waiting_o,  // the host is notified and has not answered
  input  logic                mark_valid_i,    // counts only while host_waiting_o
  input  logic [15:0]         mark_i
);
  // What the trees leave of the machine's latencies.
  localparam int unsigned Levels = machine_pkg::SYNC_LEVELS;
  localparam int unsigned Internal = machine_pkg::SYNC_REQUEST + machine_pkg::SYNC_ACKNOWLEDGE - 2 * Levels;
  localparam int unsigned ExternalRequest = machine_pkg::EXTERNAL_REQUEST - Levels;
  localparam int unsigned ExternalAcknowledge = machine_pkg::EXTERNAL_ACKNOWLEDGE - Levels;

  logic internal_q, host_q;  // complete in the cycle before
  logic [1:0] internal, host_arrived;  // complete, consensus

  sync_pipe #(
    .Depth(Internal),
    .Width(2)
  ) u_internal (
    .clk_i,
    .rst_ni,
    .in_i ({all_i.internal && !internal_q, all_i.value}),
    .out_o(internal)
  );

  // Zone 3 and zone 7: of the chip itself, or of its group, which answers when all its chips are there.
  logic [1:0] external_all, external_q, external, external_value;
  assign external_all = {all_i.replica, all_i.external};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) external_q <= '0;
    else external_q <= external_all;
  end
  for (genvar z = 0; z < 2; z++) begin : g_external
    logic [1:0] arrived, due;  // complete, consensus
    sync_pipe #(
      .Depth(ExternalRequest),
      .Width(2)
    ) u_request (
      .clk_i,
      .rst_ni,
      .in_i ({external_all[z] && !external_q[z], all_i.value}),
      .out_o(arrived)
    );
    assign group_request_o[z] = grouped_i[z] && arrived[1];
    assign group_value_o[z]   = group_request_o[z] && arrived[0];
    assign due = grouped_i[z] ? {group_answer_i[z], group_consensus_i[z]} : arrived;
    sync_pipe #(
      .Depth(ExternalAcknowledge),
      .Width(2)
    ) u_acknowledge (
      .clk_i,
      .rst_ni,
      .in_i (due),
      .out_o({external[z], external_value[z]})
    );
  end

  sync_pipe #(
    .Depth(ExternalRequest),
    .Width(2)
  ) u_host_request (
    .clk_i,
    .rst_ni,
    .in_i ({all_i.host && !host_q, all_i.value}),
    .out_o(host_arrived)
  );

  // From the arrival of the requests to the mark; the host hears of it when the edge has drained.
  logic host_pending_d, host_pending_q, host_notified_q, host_consensus_q, host_consensus;
  assign host_pending_d = host_arrived[1] || host_pending_q;
  assign host_waiting_o = host_pending_d && (edge_idle_i || host_notified_q);
  assign host_consensus = host_arrived[1] ? host_arrived[0] : host_consensus_q;

  logic        marked;
  logic [17:0] host;
  assign marked = mark_valid_i && host_waiting_o;

  sync_pipe #(
    .Depth(ExternalAcknowledge),
    .Width(18)
  ) u_host_acknowledge (
    .clk_i,
    .rst_ni,
    .in_i ({marked, host_consensus, mark_i}),
    .out_o(host)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      internal_q       <= 1'b0;
      host_q           <= 1'b0;
      host_pending_q   <= 1'b0;
      host_notified_q  <= 1'b0;
      host_consensus_q <= 1'b0;
    end else begin
      internal_q       <= all_i.internal;
      host_q           <= all_i.host;
      host_pending_q   <= host_pending_d && !marked;
      host_notified_q  <= host_waiting_o && !marked;
      host_consensus_q <= host_consensus;
    end
  end

  always_comb begin
    answer_o = '0;
    if (internal[1]) answer_o = {1'b1, words_pkg::SYNC_INTERNAL, internal[0], 16'd0};
    if (external[0]) answer_o = {1'b1, words_pkg::SYNC_EXTERNAL, external_value[0], 16'd0};
    if (external[1]) answer_o = {1'b1, words_pkg::SYNC_REPLICA, external_value[1], 16'd0};
    if (host[17]) answer_o = {1'b1, words_pkg::SYNC_HOST, host[16:0]};
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/exchange.md, Sync controller.
  logic [3:0] complete, answers;
  logic waits_q, answered_q, live_q;
  assign complete = {all_i.internal, all_i.external, all_i.host, all_i.replica};
  assign answers  = {internal[1], external, host[17]};
  always_ff @(posedge clk_i) begin
    waits_q    <= rst_ni && host_waiting_o && !marked;
    answered_q <= rst_ni && answer_o.valid;
    live_q     <= rst_ni;
    if (rst_ni) begin
      one_zone_is_complete : assert ((complete & (complete - 4'd1)) == '0);
      one_sync_is_acknowledged : assert ((answers & (answers - 4'd1)) == '0);
      acknowledged_for_one_cycle : assert (!(answered_q && answer_o.valid));
      nothing_without_acknowledgement : assert (answer_o.valid || answer_o == '0);
      mark_of_the_host_alone : assert (answer_o.zone == words_pkg::SYNC_HOST || answer_o.mark == '0);
      host_sync_has_a_mark : assert (answer_o.zone != words_pkg::SYNC_HOST || answer_o.mark != '0);
      no_other_sync_while_the_host_is_asked : assert (!(host_pending_q && (internal[1] || external != 2'd0)));
      host_is_asked_until_it_answers : assert (!waits_q || host_waiting_o);
      nothing_behind_a_reset : assert (live_q || (!answer_o.valid && !host_waiting_o));
    end
  end
`endif
endmodule
