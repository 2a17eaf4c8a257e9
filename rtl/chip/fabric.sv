// What joins the tiles of a chip: exchange, sync, and the edge with its host port. Towards the tiles stand their ports side by side, a
// tile's word at its number times the word's width; words of several fields are those of rtl/spec/words.def. A run's simulation has
// this beside instances of the tile (sim/engine/fabric.h), the flat chip (chip.sv) beside all of them, with its links (fabric_links.sv).
module fabric (
  input  logic        clk_i,
  input  logic        clk_host_i,
  input  logic        rst_ni,
  input  logic        alike_i,         // clk_host_i is clk_i
  input  words_pkg::host_access_t   mmio_i,
  output words_pkg::host_answer_t   mmio_o,
  output logic                      host_waiting_o,  // interrupt, on the host's clock: a host sync awaits its mark
  output words_pkg::packet_up_t     up_o,
  input  words_pkg::packet_down_t   down_i,
  output words_pkg::group_request_t group_o,         // of chips, which its syncs are of
  input  words_pkg::group_answer_t  group_i,
  output words_pkg::link_setup_t            link_setup_o,   // and all of link_edge.sv
  input  logic [31:0]                       link_entry_i,   // what the entry that it selects reads
  output logic [machine_pkg::BLOCKS-1:0]    link_valid_o,   // packets for other chips, by block
  output logic [machine_pkg::BLOCKS*34-1:0] link_word_o,    // BlockWord
  input  logic [machine_pkg::BLOCKS-1:0]    link_take_i,
  output logic                              unanswered_o,   // a read of the host: no packet of another chip comes down
  input  logic [63:0]                      cycle_i,
  input  logic [machine_pkg::TILES*6-1:0]  sync_request_i,   // SyncRequest
  output logic [machine_pkg::TILES*22-1:0] sync_answer_o,    // SyncAnswer; 0 without an acknowledgement
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
  input  logic [machine_pkg::TILES*34-1:0] packet_out_i,     // TileSent
  output logic [machine_pkg::TILES-1:0]    packet_grant_o,
  output words_pkg::tile_packet_t          packet_o,         // for all tiles
  input  logic [machine_pkg::TILES-1:0]    exception_i,
  input  logic [machine_pkg::TILES-1:0]    idle_i,
  output logic [machine_pkg::TILES-1:0]    debug_valid_o,
  output words_pkg::tile_debug_t           debug_o,
  input  logic [machine_pkg::TILES*32-1:0] debug_data_i,
  input  logic [machine_pkg::TILES-1:0]    debug_refused_i
);
  localparam int Tiles = machine_pkg::TILES;
  logic        edge_idle, host_waiting, mark_valid, starts;
  logic [1:0]  grouped;
  logic [15:0] mark;

  // What the sync controller takes and gives, by kind.
  logic [Tiles-1:0]    sync_request, sync_value, sync_ack, sync_consensus;
  logic [Tiles*4-1:0]  sync_zone, sync_ack_zone;
  logic [Tiles*16-1:0] sync_mark;
  words_pkg::sync_request_t request;
  words_pkg::sync_answer_t  answer;
  always_comb begin
    for (int t = 0; t < Tiles; t++) begin
      request           = sync_request_i[t*6+:6];
      sync_request[t]   = request.valid;
      sync_zone[t*4+:4] = request.zone;
      sync_value[t]     = request.value;
    end
  end
  always_comb begin
    for (int t = 0; t < Tiles; t++) begin
      answer.ack              = sync_ack[t];
      answer.zone             = sync_ack_zone[t*4+:4];
      answer.consensus        = sync_consensus[t];
      answer.mark             = sync_mark[t*16+:16];
      sync_answer_o[t*22+:22] = answer;
    end
  end

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
    .request_i        (sync_request),
    .zone_i           (sync_zone),
    .value_i          (sync_value),
    .cancel_i         (starts),
    .ack_o            (sync_ack),
    .ack_zone_o       (sync_ack_zone),
    .consensus_o      (sync_consensus),
    .mark_o           (sync_mark),
    .grouped_i        (grouped),
    .group_request_o  (group_o.request),
    .group_value_o    (group_o.value),
    .group_answer_i   (group_i.answer),
    .group_consensus_i(group_i.consensus),
    .edge_idle_i      (edge_idle),
    .host_waiting_o   (host_waiting),
    .mark_valid_i     (mark_valid),
    .mark_i           (mark)
  );

  packet_edge u_edge (
    .clk_i,
    .rst_ni,
    .request_i   (packet_request_i),
    .grant_o     (packet_grant_o),
    .words_i     (packet_out_i),
    .down_valid_o(packet_o.valid),
    .down_first_o(packet_o.first),
    .down_data_o (packet_o.data),
    .link_valid_o,
    .link_word_o,
    .link_take_i,
    .unanswered_o,
    .up_valid_o  (up_o.valid),
    .up_last_o   (up_o.last),
    .up_bad_o    (up_o.bad),
    .up_data_o   (up_o.data),
    .down_valid_i(down_i.valid),
    .down_first_i(down_i.first),
    .down_last_i (down_i.last),
    .down_data_i (down_i.data),
    .idle_o      (edge_idle)
  );

  host_port u_host (
    .clk_i,
    .clk_host_i,
    .rst_ni,
    .alike_i,
    .mmio_valid_i   (mmio_i.valid),
    .mmio_write_i   (mmio_i.write),
    .mmio_address_i (mmio_i.address),
    .mmio_wdata_i   (mmio_i.wdata),
    .mmio_ready_o   (mmio_o.ready),
    .mmio_rdata_o   (mmio_o.rdata),
    .interrupt_o    (host_waiting_o),
    .cycle_i,
    .idle_i,
    .exception_i,
    .host_waiting_i (host_waiting),
    .acknowledged_i (|sync_ack),
    .mark_valid_o   (mark_valid),
    .mark_o         (mark),
    .starts_o       (starts),
    .chip_o         (link_setup_o.chip),
    .grouped_o      (grouped),
    .table_write_o  (link_setup_o.write),
    .table_select_o (link_setup_o.select),
    .table_data_o   (link_setup_o.data),
    .table_data_i   (link_entry_i),
    .debug_valid_o,
    .debug_write_o  (debug_o.write),
    .debug_space_o  (debug_o.space),
    .debug_context_o(debug_o.context_id),
    .debug_address_o(debug_o.address),
    .debug_wdata_o  (debug_o.wdata),
    .debug_data_i,
    .debug_refused_i
  );

`ifndef SYNTHESIS
  // What tiles promise to the fabric (tile.md, exchange.md, edge.md), and it to them.
  logic [Tiles-1:0]   touched, exception_q, request_q, value_q, ack_q, packet_q, granted_q, touched_q;
  logic [Tiles*4-1:0] zone_q;
  assign touched = debug_valid_o;
  always_ff @(posedge clk_i) begin
    exception_q <= rst_ni ? exception_i : '0;
    request_q   <= rst_ni ? sync_request : '0;
    zone_q      <= sync_zone;
    value_q     <= sync_value;
    ack_q       <= rst_ni ? sync_ack : '0;
    packet_q    <= rst_ni ? packet_request_i : '0;
    granted_q   <= rst_ni ? packet_grant_o : '0;
    touched_q   <= touched & {Tiles{debug_o.write}};
  end
  for (genvar t = 0; t < Tiles; t++) begin : g_promise
    logic [3:0] zone, zone_before, ack_zone;
    words_pkg::tile_sent_t sent;
    assign sent = packet_out_i[t*34+:34];
    logic       unused;
    assign unused = ^sent.data;
    logic       may_fall;  // the request of the cycle before: acknowledged, or its tile excepted or was touched by the debugger
    assign zone        = sync_zone[t*4+:4];
    assign zone_before = zone_q[t*4+:4];
    assign ack_zone    = sync_ack_zone[t*4+:4];
    assign may_fall    = ack_q[t] || exception_i[t] || touched_q[t];
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        zone_is_one_of_the_chip : assert (!sync_request[t] || zone == words_pkg::SYNC_INTERNAL
            || zone == words_pkg::SYNC_EXTERNAL || zone == words_pkg::SYNC_HOST || zone == words_pkg::SYNC_AUTOMATIC
            || zone == words_pkg::SYNC_REPLICA);
        zone_is_0_without_request : assert (sync_request[t] || (zone == '0 && !sync_value[t]));
        request_stands_until_acknowledged : assert (!request_q[t] || may_fall || sync_request[t]);
        zone_stands_until_acknowledged : assert (!request_q[t] || may_fall || zone == zone_before);
        value_stands_until_acknowledged : assert (!request_q[t] || may_fall || sync_value[t] == value_q[t]);
        request_falls_when_acknowledged : assert (!(request_q[t] && ack_q[t] && !touched_q[t]) || !sync_request[t]);
        acknowledged_only_when_requested : assert (!sync_ack[t] || sync_request[t] || exception_i[t]);
        acknowledged_in_the_zone_requested : assert (!(sync_ack[t] && sync_request[t])
            || ack_zone == (zone == words_pkg::SYNC_AUTOMATIC ? words_pkg::SYNC_INTERNAL : zone));
        drained_at_boundaries : assert (!(sync_ack[t] && ack_zone == words_pkg::SYNC_INTERNAL)
            || (!sent_valid_i[t] && select_i[t*11+:11] == words_pkg::NO_TILE && !received_valid_o[t]));
        packet_request_stands_until_granted : assert (!packet_q[t] || granted_q[t] || exception_i[t] || touched_q[t] || packet_request_i[t]);
        word_for_the_pair_goes_with_one : assert (!pair_valid_i[t] || sent_valid_i[t]);
        last_only_of_a_word : assert (sent.valid || !sent.last);
        excepted_tile_is_silent : assert (!(exception_i[t] && exception_q[t]) || !(sync_request[t] || packet_request_i[t]
            || sent_valid_i[t] || sent.valid));
        excepted_tile_listens_to_none : assert (!(exception_i[t] && exception_q[t]) || select_i[t*11+:11] == words_pkg::NO_TILE);
        exception_stands_until_touched : assert (!exception_q[t] || exception_i[t] || touched_q[t]);
      end
    end
  end
`endif
endmodule
