// Sync of a chip (docs/reference/exchange.md): ANDs the requests of each zone, carries the result to the controller and
// back in the machine's number of cycles, and hands zone 4 to the host port, which answers it with a mark.
// The acknowledgement is one cycle long and reaches all tiles in the same cycle.
module sync_controller (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [machine_pkg::TILES-1:0]   request_i,
  input  logic [machine_pkg::TILES*4-1:0] zone_i,     // of a raised request: 2 internal, 3 external, 4 host, 6 automatic
  input  logic [machine_pkg::TILES-1:0]   value_i,    // consensus contribution
  output logic                            ack_o,
  output logic                            consensus_o,
  output logic [15:0]                     mark_o,
  // Host port
  input  logic                            edge_idle_i,    // no packet queued or in flight
  output logic                            host_waiting_o, // the host is notified and has not answered
  input  logic                            mark_valid_i,   // only while host_waiting_o
  input  logic [15:0]                     mark_i
);
  localparam int Tiles = machine_pkg::TILES;

  localparam int unsigned Internal = machine_pkg::SYNC_REQUEST + machine_pkg::SYNC_ACKNOWLEDGE;
  localparam int unsigned External = machine_pkg::EXTERNAL_REQUEST + machine_pkg::EXTERNAL_ACKNOWLEDGE;

  logic [2:0] all_d, all_q, rise;  // internal, external, host
  logic       consensus;

  always_comb begin
    all_d = '1;
    for (int t = 0; t < Tiles; t++) begin
      all_d[0] &= request_i[t] && (zone_i[t*4+:4] == words_pkg::SYNC_INTERNAL || zone_i[t*4+:4] == words_pkg::SYNC_AUTOMATIC);
      all_d[1] &= request_i[t] && zone_i[t*4+:4] == words_pkg::SYNC_EXTERNAL;
      all_d[2] &= request_i[t] && zone_i[t*4+:4] == words_pkg::SYNC_HOST;
    end
  end

  assign rise      = all_d & ~all_q;
  assign consensus = &value_i;

  logic [1:0] internal, external, host_arrived;

  sync_pipe #(
    .Depth(Internal),
    .Width(2)
  ) u_internal (
    .clk_i,
    .rst_ni,
    .in_i ({rise[0], consensus}),
    .out_o(internal)
  );

  sync_pipe #(
    .Depth(External),
    .Width(2)
  ) u_external (
    .clk_i,
    .rst_ni,
    .in_i ({rise[1], consensus}),
    .out_o(external)
  );

  sync_pipe #(
    .Depth(machine_pkg::EXTERNAL_REQUEST),
    .Width(2)
  ) u_host_request (
    .clk_i,
    .rst_ni,
    .in_i ({rise[2], consensus}),
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
    .Depth(machine_pkg::EXTERNAL_ACKNOWLEDGE),
    .Width(18)
  ) u_host_acknowledge (
    .clk_i,
    .rst_ni,
    .in_i ({marked, host_consensus, mark_i}),
    .out_o(host)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      all_q            <= '0;
      host_pending_q   <= 1'b0;
      host_notified_q  <= 1'b0;
      host_consensus_q <= 1'b0;
    end else begin
      all_q            <= all_d;
      host_pending_q   <= host_pending_d && !marked;
      host_notified_q  <= host_waiting_o && !marked;
      host_consensus_q <= host_consensus;
    end
  end

  assign ack_o       = internal[1] || external[1] || host[17];
  assign consensus_o = (internal[1] && internal[0]) || (external[1] && external[0]) || (host[17] && host[16]);
  assign mark_o      = host[17] ? host[15:0] : 16'd0;
endmodule
