// The edge of the chip for packets: exchange blocks of some tiles each, the turns of their packets at the host port, the way back
// to all tiles, and what is in flight (docs/reference/edge.md). From a tile's port to the host port it is edge_latency less one
// cycle, because the page counts from the memory read two cycles earlier; the last register of it stands behind the blocks.
//
// A packet for another chip leaves its block for the links (link_edge.sv) and no other way.
module packet_edge (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // Tiles
  input  logic [machine_pkg::TILES-1:0]    request_i,
  output logic [machine_pkg::TILES-1:0]    grant_o,
  input  logic [machine_pkg::TILES*34-1:0] words_i,        // by tile: valid, last, data
  output logic                             down_valid_o,   // to all tiles; they know theirs by the id in the first word
  output logic                             down_first_o,
  output logic [31:0]                      down_data_o,
  // Packets for other chips, by block: last, bad, data
  output logic [machine_pkg::BLOCKS-1:0]    link_valid_o,
  output logic [machine_pkg::BLOCKS*34-1:0] link_word_o,
  input  logic [machine_pkg::BLOCKS-1:0]    link_take_i,
  output logic                             unanswered_o,   // a read of the host
  // Host port
  output logic                             up_valid_o,
  output logic                             up_last_o,
  output logic                             up_bad_o,       // with the last word: the packet is to be forgotten
  output logic [31:0]                      up_data_o,
  input  logic                             down_valid_i,
  input  logic                             down_first_i,
  input  logic                             down_last_i,
  input  logic [31:0]                      down_data_i,
  output logic                             idle_o          // no packet queued or in flight
);
  localparam int Blocks = machine_pkg::BLOCKS;
  localparam int Tiles = machine_pkg::BLOCK_TILES;

  logic [Blocks-1:0]    valid, take, idle, for_link, host_take;
  logic [Blocks*34-1:0] word;
  logic [33:0]          up;
  // The last block may have places without a tile.
  localparam int Places = Blocks * Tiles;
  logic [Places-1:0]    requests, grants;
  logic [Places*34-1:0] words;
  assign requests = Places'(request_i);
  assign words    = (Places * 34)'(words_i);
  assign grant_o  = machine_pkg::TILES'(grants);
  logic unused;
  assign unused = ^grants;
  for (genvar b = 0; b < Blocks; b++) begin : g_block
    exchange_block u_block (
      .clk_i,
      .rst_ni,
      .request_i(requests[b*Tiles+:Tiles]),
      .grant_o  (grants[b*Tiles+:Tiles]),
      .words_i  (words[b*Tiles*34+:Tiles*34]),
      .valid_o  (valid[b]),
      .last_o   (word[b*34+33]),
      .bad_o    (word[b*34+32]),
      .data_o   (word[b*34+:32]),
      .take_i   (take[b]),
      .idle_o   (idle[b])
    );
  end

  for (genvar b = 0; b < Blocks; b++) begin : g_sort
    packet_sort u_sort (
      .clk_i,
      .rst_ni,
      .word_i(word[b*34+:34]),
      .take_i(take[b]),
      .link_o(for_link[b])
    );
  end
  assign link_valid_o = valid & for_link;
  assign link_word_o  = word;
  assign take         = host_take | link_take_i;

  port_turns u_host_turns (
    .clk_i,
    .rst_ni,
    .valid_i(valid & ~for_link),
    .word_i (word),
    .take_o (host_take),
    .valid_o(up_valid_o),
    .word_o (up)
  );
  assign {up_last_o, up_bad_o, up_data_o} = up;

  logic [34:0] down;
  logic answered_q;
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY - 1),
    .Width(35)
  ) u_down (
    .clk_i,
    .rst_ni,
    .in_i ({down_valid_i, down_first_i, down_last_i, down_data_i}),
    .out_o(down)
  );
  assign down_valid_o = down[34];
  assign down_first_o = down[33];
  assign down_data_o  = down[31:0];
  // Tiles have a register for it, the last one of its way.
  always_ff @(posedge clk_i) answered_q <= rst_ni && down[34] && down[32];

  packet_tracker u_tracker (
    .clk_i,
    .rst_ni,
    .up_valid_i  (up_valid_o),
    .up_last_i   (up_last_o),
    .up_bad_i    (up_bad_o),
    .up_data_i   (up_data_o),
    .answered_i  (answered_q),
    .unanswered_o
  );

  assign idle_o = idle == '1 && !unanswered_o;

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  logic down_inside_q;
  always_ff @(posedge clk_i) begin
    down_inside_q <= rst_ni && (down_valid_i ? !down_last_i : down_inside_q);
    if (rst_ni) begin
      response_comes_without_a_gap : assert (!down_inside_q || down_valid_i);
      response_begins_once : assert (!down_valid_i || down_first_i == !down_inside_q);
    end
  end
`endif
endmodule
