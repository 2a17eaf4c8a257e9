// Joins the tiles' packet ports to the host port: arbitration, the up path from the granted tile and the down path to all
// tiles, each edge_latency long (docs/reference/edge.md). From a tile's port to the host port it is one cycle less, because
// the page counts from the memory read two cycles earlier.
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
  output logic [31:0]                      up_data_o,
  input  logic                             down_valid_i,
  input  logic                             down_first_i,
  input  logic                             down_last_i,
  input  logic [31:0]                      down_data_i,
  output logic                             idle_o          // no packet queued or in flight
);
  localparam int Tiles = machine_pkg::TILES;

  localparam int unsigned UpDepth = machine_pkg::EDGE_LATENCY - 1;

  logic [10:0] owner;
  logic [33:0] word, up;
  logic        busy, unanswered, answered;

  packet_arbiter u_arbiter (
    .clk_i,
    .rst_ni,
    .request_i,
    .done_i (up_valid_o && up_last_o),
    .grant_o,
    .owner_o(owner),
    .busy_o (busy)
  );

  always_comb begin
    word = '0;
    for (int t = 0; t < Tiles; t++)
      if (owner == 11'(t)) word = words_i[t*34+:34];
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
  assign {up_valid_o, up_last_o, up_data_o} = up;

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
    .up_data_i   (up_data_o),
    .answered_i  (answered),
    .unanswered_o(unanswered)
  );

  assign idle_o = !busy && !unanswered;
endmodule
