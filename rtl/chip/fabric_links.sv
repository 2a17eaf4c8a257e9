// The fabric of a chip in a system of several: with what joins it to the chips beside it. Packets come down to the tiles of each block by
// themselves.
module fabric_links (
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
  // Channels of the links, and credits (link_edge.sv)
  output logic [machine_pkg::LINK_CHANNELS*36-1:0]  channel_o,
  input  logic [machine_pkg::LINK_CHANNELS*36-1:0]  channel_i,
  output logic [machine_pkg::LINK_QUEUES-1:0]       credit_o,
  input  logic [machine_pkg::LINK_QUEUES-1:0]       credit_i,
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
  output logic [machine_pkg::BLOCKS-1:0]    packet_valid_o,   // by block
  output logic [machine_pkg::BLOCKS-1:0]    packet_first_o,
  output logic [machine_pkg::BLOCKS*32-1:0] packet_data_o,
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
  localparam int Blocks = machine_pkg::BLOCKS;
  logic [5:0]           chip;
  logic                 table_write, unanswered, host_valid, host_first;
  logic [6:0]           table_select;
  logic [31:0]          table_data, table_entry, host_data;
  logic [Blocks-1:0]    valid, take, down_valid, down_first;
  logic [Blocks*34-1:0] word;
  logic [Blocks*32-1:0] down_data;

  fabric u_fabric (
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
    .cycle_i,
    .sync_request_i,
    .sync_zone_i,
    .sync_value_i,
    .sync_ack_o,
    .sync_ack_zone_o,
    .sync_consensus_o,
    .sync_mark_o,
    .sent_valid_i,
    .sent_data_i,
    .select_i,
    .received_valid_o,
    .received_data_o,
    .pair_valid_i,
    .pair_data_i,
    .paired_i,
    .pair_valid_o,
    .pair_data_o,
    .packet_request_i,
    .packet_out_i,
    .packet_grant_o,
    .exception_i,
    .idle_i,
    .debug_valid_o,
    .debug_write_o,
    .debug_space_o,
    .debug_context_o,
    .debug_address_o,
    .debug_wdata_o,
    .debug_data_i,
    .debug_refused_i,
    .chip_o        (chip),
    .table_write_o (table_write),
    .table_select_o(table_select),
    .table_data_o  (table_data),
    .table_data_i  (table_entry),
    .link_valid_o  (valid),
    .link_word_o   (word),
    .link_take_i   (take),
    .unanswered_o  (unanswered),
    .packet_valid_o(host_valid),
    .packet_first_o(host_first),
    .packet_data_o (host_data)
  );

  link_edge u_links (
    .clk_i,
    .rst_ni,
    .chip_i        (chip),
    .table_write_i (table_write),
    .table_select_i(table_select),
    .table_data_i  (table_data),
    .table_data_o  (table_entry),
    .valid_i       (valid),
    .word_i        (word),
    .take_o        (take),
    .hold_i        (unanswered),
    .down_valid_o  (down_valid),
    .down_first_o  (down_first),
    .down_data_o   (down_data),
    .channel_o,
    .channel_i,
    .credit_o,
    .credit_i
  );

  always_comb begin
    for (int b = 0; b < Blocks; b++) begin
      packet_valid_o[b]         = host_valid || down_valid[b];
      packet_first_o[b]         = host_valid ? host_first : down_first[b];
      packet_data_o[b*32+:32] = host_valid ? host_data : down_data[b*32+:32];
    end
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/link.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_packet_comes_down_at_a_time : assert (!host_valid || down_valid == '0);
  end
`endif
endmodule
