// The fabric of a chip in a system of several: with what joins it to the chips beside it. Packets come down to the tiles of each block by
// themselves.
module fabric_links (
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
  output logic [machine_pkg::LINK_CHANNELS*36-1:0]  channel_o,  // ChannelWord
  input  logic [machine_pkg::LINK_CHANNELS*36-1:0]  channel_i,
  output logic [machine_pkg::LINK_QUEUES-1:0]       credit_o,
  input  logic [machine_pkg::LINK_QUEUES-1:0]       credit_i,
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
  output logic [machine_pkg::BLOCKS*34-1:0] packet_o,        // TilePacket, by block
  input  logic [machine_pkg::TILES-1:0]    exception_i,
  input  logic [machine_pkg::TILES-1:0]    idle_i,
  output logic [machine_pkg::TILES-1:0]    debug_valid_o,
  output words_pkg::tile_debug_t           debug_o,
  input  logic [machine_pkg::TILES*32-1:0] debug_data_i,
  input  logic [machine_pkg::TILES-1:0]    debug_refused_i
);
  localparam int Blocks = machine_pkg::BLOCKS;
  words_pkg::link_setup_t  setup;
  words_pkg::tile_packet_t of_host;
  logic                    unanswered;
  logic [31:0]             entry;
  logic [Blocks-1:0]       valid, take, down_valid, down_first;
  logic [Blocks*34-1:0]    word;
  logic [Blocks*32-1:0]    down_data;

  fabric u_fabric (
    .clk_i,
    .clk_host_i,
    .rst_ni,
    .alike_i,
    .mmio_i,
    .mmio_o,
    .host_waiting_o,
    .up_o,
    .down_i,
    .group_o,
    .group_i,
    .cycle_i,
    .sync_request_i,
    .sync_answer_o,
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
    .debug_o,
    .debug_data_i,
    .debug_refused_i,
    .link_setup_o(setup),
    .link_entry_i(entry),
    .link_valid_o(valid),
    .link_word_o (word),
    .link_take_i (take),
    .unanswered_o(unanswered),
    .packet_o    (of_host)
  );

  link_edge u_links (
    .clk_i,
    .rst_ni,
    .chip_i        (setup.chip),
    .table_write_i (setup.write),
    .table_select_i(setup.select),
    .table_data_i  (setup.data),
    .table_data_o  (entry),
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

  words_pkg::tile_packet_t packet;
  always_comb begin
    for (int b = 0; b < Blocks; b++) begin
      packet.valid       = of_host.valid || down_valid[b];
      packet.first       = of_host.valid ? of_host.first : down_first[b];
      packet.data        = of_host.valid ? of_host.data : down_data[b*32+:32];
      packet_o[b*34+:34] = packet;
    end
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/link.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_packet_comes_down_at_a_time : assert (!of_host.valid || down_valid == '0);
  end
`endif
endmodule
