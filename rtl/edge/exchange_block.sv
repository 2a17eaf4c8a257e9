// Joins the tiles' packet ports to the host port: arbitration, the up path from the granted tile and the down path to all
// tiles, each edge_latency long (docs/reference/edge.md). From a tile's port to the host port it is one cycle less, because
// the page counts from the memory read two cycles earlier.
//
// The words of a packet come without a gap, the first of them in a cycle that the grant decides: where one does not come, its
// tile has excepted or has been started anew, the packet is over, and others may send.
module exchange_block (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // Tiles
  input  logic [machine_pkg::TILES-1:0]    request_i,
  output logic [machine_pkg::TILES-1:0]    grant_o,
  input  logic [machine_pkg::TILES*34-1:0] words_i,        // by tile: valid, last, data
  output logic                             down_valid_o,   // to all tiles; they know theirs by the id in the first word
  output logic                             down_first_o,
  output logic [31:0]                      down_data_o,
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
  localparam int Tiles = machine_pkg::TILES;
  localparam int unsigned UpDepth = machine_pkg::EDGE_LATENCY - 1;
  // Cycles from the decision to grant to the first word here: there, three in the tile, back.
  localparam int unsigned ToFirst = machine_pkg::EDGE_LATENCY + 3 + UpDepth;
  localparam int unsigned CountBits = $clog2(ToFirst + 1);

  logic [10:0] owner;
  logic [33:0] word, up;
  logic        serving_q, grants, waiting, due, over, unanswered, answered;
  logic [CountBits-1:0] until_q;  // cycles until the first word

  packet_arbiter u_arbiter (
    .clk_i,
    .rst_ni,
    .request_i,
    .free_i   (!serving_q || over),
    .grant_o,
    .grants_o (grants),
    .owner_o  (owner),
    .waiting_o(waiting)
  );

  always_ff @(posedge clk_i) begin
    if (grants) until_q <= CountBits'(ToFirst - 1);
    else if (until_q != '0) until_q <= until_q - 1'b1;
    if (!rst_ni) serving_q <= 1'b0;
    else serving_q <= grants || (serving_q && !over);
  end
  assign due = serving_q && until_q == '0;

  always_comb begin
    word = '0;
    if (serving_q) for (int t = 0; t < Tiles; t++) word |= words_i[t*34+:34] & {34{owner == 11'(t)}};
  end

  sync_pipe #(
    .Depth(UpDepth),
    .Width(34)
  ) u_up (
    .clk_i,
    .rst_ni,
    .in_i (word),
    .out_o(up)
  );

  packet_check u_check (
    .clk_i,
    .rst_ni,
    .due_i  (due),
    .valid_i(up[33]),
    .last_i (up[32]),
    .data_i (up[31:0]),
    .over_o (over),
    .valid_o(up_valid_o),
    .last_o (up_last_o),
    .bad_o  (up_bad_o),
    .data_o (up_data_o)
  );

  logic [34:0] down;
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY),
    .Width(35)
  ) u_down (
    .clk_i,
    .rst_ni,
    .in_i ({down_valid_i, down_first_i, down_last_i, down_data_i}),
    .out_o(down)
  );
  assign down_valid_o = down[34];
  assign down_first_o = down[33];
  assign answered     = down[34] && down[32];
  assign down_data_o  = down[31:0];

  packet_tracker u_tracker (
    .clk_i,
    .rst_ni,
    .up_valid_i  (up_valid_o),
    .up_last_i   (up_last_o),
    .up_bad_i    (up_bad_o),
    .up_data_i   (up_data_o),
    .answered_i  (answered),
    .unanswered_o(unanswered)
  );

  assign idle_o = !waiting && !(serving_q && !over) && !unanswered;

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  logic down_inside_q;
  always_ff @(posedge clk_i) begin
    down_inside_q <= rst_ni && (down_valid_i ? !down_last_i : down_inside_q);
    if (rst_ni) begin
      one_packet_at_a_time : assert (!grants || !serving_q || over);
      idle_with_no_packet : assert (!idle_o || !(serving_q && !over));
      idle_with_no_request : assert (!idle_o || !waiting);
      response_comes_without_a_gap : assert (!down_inside_q || down_valid_i);
      response_begins_once : assert (!down_valid_i || down_first_i == !down_inside_q);
    end
  end
`endif
endmodule
