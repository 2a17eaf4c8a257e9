// A chip: tiles, and the fabric that joins them. Sizes and latencies come from machine_pkg.
// Outside are the host's accesses (host_port.sv) and the packets to and from host memory, one word a cycle:
//   up    packets of the tiles as they reach the host port
//   down  read responses (kind 3), which the PCIe side gives in the order of their requests
module chip (
  input  logic        clk_i,
  input  logic        clk_host_i,
  input  logic        rst_ni,
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

  logic [Tiles-1:0]    sync_request, sync_value, packet_request, packet_grant, exception, idle, debug_valid, debug_refused;
  logic [Tiles*4-1:0]  sync_zone;
  logic [Tiles-1:0]    sent_valid, received_valid;
  logic [Tiles*32-1:0] sent, received;
  logic [Tiles*11-1:0] select;
  logic [Tiles-1:0]    to_pair_valid, of_pair_valid, paired;
  logic [Tiles*32-1:0] to_pair, of_pair;
  logic [Tiles*34-1:0] packet_out;
  logic [Tiles*32-1:0] debug_data;
  logic [Tiles-1:0]    ack, consensus;
  logic [Tiles*4-1:0]  ack_zone;
  logic [Tiles*16-1:0] ack_mark;
  logic [machine_pkg::BLOCKS-1:0]    packet_valid, packet_first;  // by block
  logic [machine_pkg::BLOCKS*32-1:0] packet_data;
  logic        debug_write;
  logic [31:0] debug_address, debug_wdata;
  logic [2:0]  debug_space, debug_context;

  for (genvar t = 0; t < Tiles; t++) begin : g_tile
    localparam int Block = t / 32'(machine_pkg::BLOCK_TILES);
    logic exchanging;
    words_pkg::observe_t unused_observe;  // for the instanced tile of simulations only
    tile u_tile (
      .clk_i,
      .rst_ni,
      .clear_memory_i,
      .cycle_i          (cycle_q),
      .slot_i           (slot_q),
      .tile_id_i        (11'(t)),
      .select_latency_i (machine_pkg::select_latency(t)),
      .in_pair_i        (machine_pkg::PAIRS != 0),
      .sync_ack_i       (ack[t]),
      .sync_ack_zone_i  (ack_zone[t*4+:4]),
      .sync_consensus_i (consensus[t]),
      .sync_mark_i      (ack_mark[t*16+:16]),
      .exchange_valid_i (received_valid[t]),
      .exchange_data_i  (received[t*32+:32]),
      .pair_valid_i     (of_pair_valid[t]),
      .pair_data_i      (of_pair[t*32+:32]),
      .packet_grant_i   (packet_grant[t]),
      .packet_valid_i   (packet_valid[Block]),
      .packet_first_i   (packet_first[Block]),
      .packet_data_i    (packet_data[Block*32+:32]),
      .debug_valid_i    (debug_valid[t]),
      .debug_write_i    (debug_write),
      .debug_space_i    (debug_space),
      .debug_context_i  (debug_context),
      .debug_address_i  (debug_address),
      .debug_wdata_i    (debug_wdata),
      .sync_request_o   (sync_request[t]),
      .sync_zone_o      (sync_zone[t*4+:4]),
      .sync_value_o     (sync_value[t]),
      .exchange_valid_o (sent_valid[t]),
      .exchange_data_o  (sent[t*32+:32]),
      .exchange_select_o(select[t*11+:11]),
      .pair_valid_o     (to_pair_valid[t]),
      .pair_data_o      (to_pair[t*32+:32]),
      .paired_o         (paired[t]),
      .packet_request_o (packet_request[t]),
      .packet_valid_o   (packet_out[t*34+33]),
      .packet_last_o    (packet_out[t*34+32]),
      .packet_data_o    (packet_out[t*34+:32]),
      .debug_data_o     (debug_data[t*32+:32]),
      .debug_refused_o  (debug_refused[t]),
      .exception_o      (exception[t]),
      .idle_o           (idle[t]),
      .exchanging_o     (exchanging),
      .observe_o        (unused_observe)
    );
    assign tile_outputs_o[t*160+:160] = {
      sync_request[t], sync_zone[t*4+:4], sync_value[t], sent_valid[t], sent[t*32+:32], select[t*11+:11], packet_request[t],
      packet_out[t*34+:34], debug_data[t*32+:32], exception[t], idle[t], exchanging, debug_refused[t], paired[t],
      to_pair_valid[t], to_pair[t*32+:32], 5'd0
    };
  end

  fabric_links u_fabric (
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
    .host_waiting_o,
    .up_valid_o,
    .up_last_o,
    .up_bad_o,
    .up_data_o,
    .down_valid_i,
    .down_first_i,
    .down_last_i,
    .down_data_i,
    .group_request_o,
    .group_value_o,
    .group_answer_i,
    .group_consensus_i,
    .channel_o,
    .channel_i,
    .credit_o,
    .credit_i,
    .cycle_i         (cycle_q),
    .sync_request_i  (sync_request),
    .sync_zone_i     (sync_zone),
    .sync_value_i    (sync_value),
    .sync_ack_o      (ack),
    .sync_ack_zone_o (ack_zone),
    .sync_consensus_o(consensus),
    .sync_mark_o     (ack_mark),
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
    .packet_valid_o  (packet_valid),
    .packet_first_o  (packet_first),
    .packet_data_o   (packet_data),
    .exception_i     (exception),
    .idle_i          (idle),
    .debug_valid_o   (debug_valid),
    .debug_write_o   (debug_write),
    .debug_space_o   (debug_space),
    .debug_context_o (debug_context),
    .debug_address_o (debug_address),
    .debug_wdata_o   (debug_wdata),
    .debug_data_i    (debug_data),
    .debug_refused_i (debug_refused)
  );
endmodule
