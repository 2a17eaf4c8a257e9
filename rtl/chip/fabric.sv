// What joins the tiles of a chip: exchange, sync, and the edge with its host port. Towards the tiles stand their ports side by
// side, a tile's field at its number times the field's width. A run's simulation has this beside instances of the tile
// (sim/engine/fabric.h), the flat chip (chip.sv) beside all of them, with its links (fabric_links.sv).
module fabric (
  input  logic        clk_i,
  input  logic        clk_host_i,
  input  logic        rst_ni,
  input  logic        alike_i,         // clk_host_i is clk_i
  // Host
  input  logic        mmio_valid_i,
  input  logic        mmio_write_i,
  input  logic [11:0] mmio_address_i,
  input  logic [31:0] mmio_wdata_i,
  output logic        mmio_ready_o,
  output logic [31:0] mmio_rdata_o,
  output logic        host_waiting_o,  // interrupt, on the host's clock: a host sync awaits its mark
  output logic        up_valid_o,
  output logic        up_last_o,
  output logic        up_bad_o,        // with the last word: the packet is to be forgotten
  output logic [31:0] up_data_o,
  input  logic        down_valid_i,
  input  logic        down_first_i,
  input  logic        down_last_i,
  input  logic [31:0] down_data_i,
  // The groups of chips that its syncs of zone 3 (bit 0) and zone 7 (bit 1) are of
  output logic [1:0]  group_request_o,
  output logic [1:0]  group_value_o,
  input  logic [1:0]  group_answer_i,
  input  logic [1:0]  group_consensus_i,
  // Links (link_edge.sv)
  output logic [5:0]                        chip_o,
  output logic                              table_write_o,
  output logic [6:0]                        table_select_o,
  output logic [31:0]                       table_data_o,
  input  logic [31:0]                       table_data_i,
  output logic [machine_pkg::BLOCKS-1:0]    link_valid_o,   // packets for other chips, by block: last, bad, data
  output logic [machine_pkg::BLOCKS*34-1:0] link_word_o,
  input  logic [machine_pkg::BLOCKS-1:0]    link_take_i,
  output logic                              unanswered_o,   // a read of the host: no packet of another chip comes down
  // Tiles
  input  logic [63:0]                      cycle_i,
  input  logic [machine_pkg::TILES-1:0]    sync_request_i,
  input  logic [machine_pkg::TILES*4-1:0]  sync_zone_i,
  input  logic [machine_pkg::TILES-1:0]    sync_value_i,
  output logic [machine_pkg::TILES-1:0]    sync_ack_o,
  output logic [machine_pkg::TILES*4-1:0]  sync_ack_zone_o,
  output logic [machine_pkg::TILES-1:0]    sync_consensus_o,
  output logic [machine_pkg::TILES*16-1:0] sync_mark_o,
  input  logic [machine_pkg::TILES-1:0]    sent_valid_i,
  input  logic [machine_pkg::TILES*32-1:0] sent_data_i,
  input  logic [machine_pkg::TILES*11-1:0] select_i,
  output logic [machine_pkg::TILES-1:0]    received_valid_o,
  output logic [machine_pkg::TILES*32-1:0] received_data_o,
  input  logic [machine_pkg::TILES-1:0]    pair_valid_i,     // for the port of the other tile of the pair
  input  logic [machine_pkg::TILES*32-1:0] pair_data_i,
  input  logic [machine_pkg::TILES-1:0]    paired_i,
  output logic [machine_pkg::TILES-1:0]    pair_valid_o,     // from that of the other tile
  output logic [machine_pkg::TILES*32-1:0] pair_data_o,
  input  logic [machine_pkg::TILES-1:0]    packet_request_i,
  input  logic [machine_pkg::TILES*34-1:0] packet_out_i,     // valid, last, data
  output logic [machine_pkg::TILES-1:0]    packet_grant_o,
  output logic                             packet_valid_o,
  output logic                             packet_first_o,
  output logic [31:0]                      packet_data_o,
  input  logic [machine_pkg::TILES-1:0]    exception_i,
  input  logic [machine_pkg::TILES-1:0]    idle_i,
  output logic [machine_pkg::TILES-1:0]    debug_valid_o,
  output logic                             debug_write_o,
  output logic [2:0]                       debug_space_o,
  output logic [2:0]                       debug_context_o,
  output logic [31:0]                      debug_address_o,
  output logic [31:0]                      debug_wdata_o,
  input  logic [machine_pkg::TILES*32-1:0] debug_data_i,
  input  logic [machine_pkg::TILES-1:0]    debug_refused_i
);
  logic        edge_idle, host_waiting, mark_valid, starts;
  logic [1:0]  grouped;
  logic [15:0] mark;

  exchange u_exchange (
    .clk_i,
    .rst_ni,
    .valid_i  (sent_valid_i),
    .data_i   (sent_data_i),
    .selects_i(select_i),
    .pair_valid_i,
    .pair_data_i,
    .paired_i,
    .valid_o  (received_valid_o),
    .data_o   (received_data_o),
    .pair_valid_o,
    .pair_data_o
  );

  sync_controller u_sync (
    .clk_i,
    .rst_ni,
    .request_i     (sync_request_i),
    .zone_i        (sync_zone_i),
    .value_i       (sync_value_i),
    .cancel_i      (starts),
    .ack_o         (sync_ack_o),
    .ack_zone_o    (sync_ack_zone_o),
    .consensus_o   (sync_consensus_o),
    .mark_o        (sync_mark_o),
    .grouped_i     (grouped),
    .group_request_o,
    .group_value_o,
    .group_answer_i,
    .group_consensus_i,
    .edge_idle_i   (edge_idle),
    .host_waiting_o(host_waiting),
    .mark_valid_i  (mark_valid),
    .mark_i        (mark)
  );

  packet_edge u_edge (
    .clk_i,
    .rst_ni,
    .request_i   (packet_request_i),
    .grant_o     (packet_grant_o),
    .words_i     (packet_out_i),
    .down_valid_o(packet_valid_o),
    .down_first_o(packet_first_o),
    .down_data_o (packet_data_o),
    .link_valid_o,
    .link_word_o,
    .link_take_i,
    .unanswered_o,
    .up_valid_o,
    .up_last_o,
    .up_bad_o,
    .up_data_o,
    .down_valid_i,
    .down_first_i,
    .down_last_i,
    .down_data_i,
    .idle_o      (edge_idle)
  );

  host_port u_host (
    .clk_i,
    .clk_host_i,
    .rst_ni,
    .alike_i,
    .mmio_valid_i,
    .mmio_write_i,
    .mmio_address_i,
    .mmio_wdata_i,
    .mmio_ready_o,
    .mmio_rdata_o,
    .interrupt_o    (host_waiting_o),
    .cycle_i,
    .idle_i,
    .exception_i,
    .host_waiting_i (host_waiting),
    .acknowledged_i (|sync_ack_o),
    .mark_valid_o   (mark_valid),
    .mark_o         (mark),
    .starts_o       (starts),
    .chip_o,
    .grouped_o      (grouped),
    .table_write_o,
    .table_select_o,
    .table_data_o,
    .table_data_i,
    .debug_valid_o,
    .debug_write_o,
    .debug_space_o,
    .debug_context_o,
    .debug_address_o,
    .debug_wdata_o,
    .debug_data_i,
    .debug_refused_i
  );

`ifndef SYNTHESIS
  // What tiles promise to the fabric (tile.md, exchange.md, edge.md), and it to them.
  localparam int Tiles = machine_pkg::TILES;
  logic [Tiles-1:0]   touched, exception_q, request_q, value_q, ack_q, packet_q, granted_q, touched_q;
  logic [Tiles*4-1:0] zone_q;
  assign touched = debug_valid_o;
  always_ff @(posedge clk_i) begin
    exception_q <= rst_ni ? exception_i : '0;
    request_q   <= rst_ni ? sync_request_i : '0;
    zone_q      <= sync_zone_i;
    value_q     <= sync_value_i;
    ack_q       <= rst_ni ? sync_ack_o : '0;
    packet_q    <= rst_ni ? packet_request_i : '0;
    granted_q   <= rst_ni ? packet_grant_o : '0;
    touched_q   <= touched & {Tiles{debug_write_o}};
  end
  for (genvar t = 0; t < Tiles; t++) begin : g_promise
    logic [3:0] zone, zone_before, ack_zone;
    logic       may_fall;  // the request of the cycle before: acknowledged, or its tile excepted or was touched by the debugger
    assign zone        = sync_zone_i[t*4+:4];
    assign zone_before = zone_q[t*4+:4];
    assign ack_zone    = sync_ack_zone_o[t*4+:4];
    assign may_fall    = ack_q[t] || exception_i[t] || touched_q[t];
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        zone_is_one_of_the_chip : assert (!sync_request_i[t] || zone == words_pkg::SYNC_INTERNAL
            || zone == words_pkg::SYNC_EXTERNAL || zone == words_pkg::SYNC_HOST || zone == words_pkg::SYNC_AUTOMATIC
            || zone == words_pkg::SYNC_REPLICA);
        zone_is_0_without_request : assert (sync_request_i[t] || (zone == '0 && !sync_value_i[t]));
        request_stands_until_acknowledged : assert (!request_q[t] || may_fall || sync_request_i[t]);
        zone_stands_until_acknowledged : assert (!request_q[t] || may_fall || zone == zone_before);
        value_stands_until_acknowledged : assert (!request_q[t] || may_fall || sync_value_i[t] == value_q[t]);
        request_falls_when_acknowledged : assert (!(request_q[t] && ack_q[t] && !touched_q[t]) || !sync_request_i[t]);
        acknowledged_only_when_requested : assert (!sync_ack_o[t] || sync_request_i[t] || exception_i[t]);
        acknowledged_in_the_zone_requested : assert (!(sync_ack_o[t] && sync_request_i[t])
            || ack_zone == (zone == words_pkg::SYNC_AUTOMATIC ? words_pkg::SYNC_INTERNAL : zone));
        drained_at_boundaries : assert (!(sync_ack_o[t] && ack_zone == words_pkg::SYNC_INTERNAL)
            || (!sent_valid_i[t] && select_i[t*11+:11] == words_pkg::NO_TILE && !received_valid_o[t]));
        packet_request_stands_until_granted : assert (!packet_q[t] || granted_q[t] || exception_i[t] || touched_q[t] || packet_request_i[t]);
        word_for_the_pair_goes_with_one : assert (!pair_valid_i[t] || sent_valid_i[t]);
        last_only_of_a_word : assert (packet_out_i[t*34+33] || !packet_out_i[t*34+32]);
        excepted_tile_is_silent : assert (!(exception_i[t] && exception_q[t]) || !(sync_request_i[t] || packet_request_i[t]
            || sent_valid_i[t] || packet_out_i[t*34+33]));
        excepted_tile_listens_to_none : assert (!(exception_i[t] && exception_q[t]) || select_i[t*11+:11] == words_pkg::NO_TILE);
        exception_stands_until_touched : assert (!exception_q[t] || exception_i[t] || touched_q[t]);
      end
    end
  end
`endif
endmodule
