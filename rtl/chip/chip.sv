// A chip: tiles, and the fabric that joins them. Sizes and latencies come from machine_pkg.
// Outside are the host's accesses (host_port.sv) and the packets to and from host memory, one word a cycle:
//   up    packets of the tiles as they reach the host port
//   down  read responses (kind 3), which the PCIe side gives in the order of their requests
module chip (
  input  logic        clk_i,
  input  logic        clk_host_i,
  input  logic        rst_ni,
  input  logic        test_en_i,       // scan mode: opens all clock gates
  input  logic        clear_memory_i,  // in reset: the tiles' memories too (tile.md, Reset)
  input  logic        alike_i,         // clk_host_i is clk_i
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
  // The groups of chips that its syncs of zone 3 (bit 0) and zone 7 (bit 1) are of; channels of the links, and credits (link_edge.sv)
  output logic [1:0]  group_request_o,
  output logic [1:0]  group_value_o,
  input  logic [1:0]  group_answer_i,
  input  logic [1:0]  group_consensus_i,
  output logic [machine_pkg::LINK_CHANNELS*36-1:0] channel_o,
  input  logic [machine_pkg::LINK_CHANNELS*36-1:0] channel_i,
  output logic [machine_pkg::LINK_QUEUES-1:0]      credit_o,
  input  logic [machine_pkg::LINK_QUEUES-1:0]      credit_i,
  // What the tiles show on their ports, for comparison in simulation: 160 bits a tile.
  output logic [machine_pkg::TILES*160-1:0] tile_outputs_o
);
  localparam int Tiles = machine_pkg::TILES;

  logic [63:0] cycle_q;
  logic [2:0]  slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      slot_q  <= '0;
    end else begin
      cycle_q <= cycle_q + 64'd1;
      slot_q  <= slot_q == 3'd5 ? 3'd0 : slot_q + 3'd1;
    end
  end

  // By tile (fabric.sv).
  logic [Tiles-1:0]    packet_request, packet_grant, exception, idle, debug_valid, debug_refused;
  logic [Tiles*6-1:0]  sync_request;
  logic [Tiles*22-1:0] sync_answer;
  logic [Tiles-1:0]    sent_valid, received_valid;
  logic [Tiles*32-1:0] sent, received;
  logic [Tiles*11-1:0] select;
  logic [Tiles-1:0]    to_pair_valid, of_pair_valid, paired;
  logic [Tiles*32-1:0] to_pair, of_pair;
  logic [Tiles*34-1:0] packet_out;
  logic [Tiles*32-1:0] debug_data;
  logic [machine_pkg::BLOCKS*34-1:0] packets;  // by block
  words_pkg::tile_debug_t debug;

  // Words and their fields, by tile; packets that come down by block.
  logic [Tiles*18-1:0] site;
  logic [Tiles-1:0]    packet_valid, packet_last;
  logic [Tiles*32-1:0] packet_data;
  logic [machine_pkg::BLOCKS-1:0]    down_valid, down_first;
  logic [machine_pkg::BLOCKS*32-1:0] down_data;
  words_pkg::tile_site_t   site_word;
  words_pkg::tile_sent_t   sent_word;
  words_pkg::tile_packet_t down_word;
  always_comb begin
    for (int t = 0; t < Tiles; t++) begin
      site_word.tile_id        = 11'(t);
      site_word.select_latency = machine_pkg::select_latency(t);
      site_word.in_pair        = machine_pkg::PAIRS != 0;
      site[t*18+:18]           = site_word;
    end
  end
  always_comb begin
    for (int t = 0; t < Tiles; t++) begin
      sent_word.valid      = packet_valid[t];
      sent_word.last       = packet_last[t];
      sent_word.data       = packet_data[t*32+:32];
      packet_out[t*34+:34] = sent_word;
    end
  end
  always_comb begin
    for (int b = 0; b < machine_pkg::BLOCKS; b++) begin
      down_word           = packets[b*34+:34];
      down_valid[b]       = down_word.valid;
      down_first[b]       = down_word.first;
      down_data[b*32+:32] = down_word.data;
    end
  end

  for (genvar t = 0; t < Tiles; t++) begin : g_tile
    localparam int Block = t / 32'(machine_pkg::BLOCK_TILES);
    logic exchanging;
    words_pkg::observe_t unused_observe;  // for the instanced tile of simulations only
    tile u_tile (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .clear_memory_i,
      .cycle_i          (cycle_q),
      .slot_i           (slot_q),
      .site_i           (site[t*18+:18]),
      .sync_i           (sync_answer[t*22+:22]),
      .exchange_valid_i (received_valid[t]),
      .exchange_data_i  (received[t*32+:32]),
      .pair_valid_i     (of_pair_valid[t]),
      .pair_data_i      (of_pair[t*32+:32]),
      .packet_grant_i   (packet_grant[t]),
      .packet_valid_i   (down_valid[Block]),
      .packet_first_i   (down_first[Block]),
      .packet_data_i    (down_data[Block*32+:32]),
      .debug_valid_i    (debug_valid[t]),
      .debug_write_i    (debug.write),
      .debug_space_i    (debug.space),
      .debug_context_i  (debug.context_id),
      .debug_address_i  (debug.address),
      .debug_wdata_i    (debug.wdata),
      .sync_o           (sync_request[t*6+:6]),
      .exchange_valid_o (sent_valid[t]),
      .exchange_data_o  (sent[t*32+:32]),
      .exchange_select_o(select[t*11+:11]),
      .pair_valid_o     (to_pair_valid[t]),
      .pair_data_o      (to_pair[t*32+:32]),
      .paired_o         (paired[t]),
      .packet_request_o (packet_request[t]),
      .packet_valid_o   (packet_valid[t]),
      .packet_last_o    (packet_last[t]),
      .packet_data_o    (packet_data[t*32+:32]),
      .debug_data_o     (debug_data[t*32+:32]),
      .debug_refused_o  (debug_refused[t]),
      .exception_o      (exception[t]),
      .idle_o           (idle[t]),
      .exchanging_o     (exchanging),
      .observe_o        (unused_observe)
    );
    assign tile_outputs_o[t*160+:160] = {
      sync_request[t*6+:6], sent_valid[t], sent[t*32+:32], select[t*11+:11], packet_request[t],
      packet_out[t*34+:34], debug_data[t*32+:32], exception[t], idle[t], exchanging, debug_refused[t], paired[t],
      to_pair_valid[t], to_pair[t*32+:32], 5'd0
    };
  end

  words_pkg::host_access_t   mmio_access;
  words_pkg::host_answer_t   mmio_answer;
  words_pkg::packet_up_t     up;
  words_pkg::packet_down_t   down;
  words_pkg::group_request_t group_request;
  words_pkg::group_answer_t  group_answer;
  assign mmio_access.valid      = mmio_valid_i;
  assign mmio_access.write      = mmio_write_i;
  assign mmio_access.address    = mmio_address_i;
  assign mmio_access.wdata      = mmio_wdata_i;
  assign mmio_ready_o           = mmio_answer.ready;
  assign mmio_rdata_o           = mmio_answer.rdata;
  assign up_valid_o             = up.valid;
  assign up_last_o              = up.last;
  assign up_bad_o               = up.bad;
  assign up_data_o              = up.data;
  assign down.valid             = down_valid_i;
  assign down.first             = down_first_i;
  assign down.last              = down_last_i;
  assign down.data              = down_data_i;
  assign group_request_o        = group_request.request;
  assign group_value_o          = group_request.value;
  assign group_answer.answer    = group_answer_i;
  assign group_answer.consensus = group_consensus_i;

  fabric_links u_fabric (
    .clk_i,
    .clk_host_i,
    .rst_ni,
    .alike_i,
    .mmio_i          (mmio_access),
    .mmio_o          (mmio_answer),
    .host_waiting_o,
    .up_o            (up),
    .down_i          (down),
    .group_o         (group_request),
    .group_i         (group_answer),
    .channel_o,
    .channel_i,
    .credit_o,
    .credit_i,
    .cycle_i         (cycle_q),
    .sync_request_i  (sync_request),
    .sync_answer_o   (sync_answer),
    .sent_valid_i    (sent_valid),
    .sent_data_i     (sent),
    .select_i        (select),
    .received_valid_o(received_valid),
    .received_data_o (received),
    .pair_valid_i    (to_pair_valid),
    .pair_data_i     (to_pair),
    .paired_i        (paired),
    .pair_valid_o    (of_pair_valid),
    .pair_data_o     (of_pair),
    .packet_request_i(packet_request),
    .packet_out_i    (packet_out),
    .packet_grant_o  (packet_grant),
    .packet_o        (packets),
    .exception_i     (exception),
    .idle_i          (idle),
    .debug_valid_o   (debug_valid),
    .debug_o         (debug),
    .debug_data_i    (debug_data),
    .debug_refused_i (debug_refused)
  );
endmodule
