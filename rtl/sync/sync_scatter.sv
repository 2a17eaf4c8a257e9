// From the root to the tiles, a register a level: what the root gives in cycle y is at every tile in
// y + machine_pkg::SYNC_LEVELS. The registers of level 1 are the tiles' inputs, each for SYNC_FAN of them.
module sync_scatter (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  sync_pkg::answer_t                root_i,
  output logic [machine_pkg::TILES-1:0]    ack_o,
  output logic [machine_pkg::TILES*4-1:0]  ack_zone_o,
  output logic [machine_pkg::TILES-1:0]    consensus_o,
  output logic [machine_pkg::TILES*16-1:0] mark_o
);
  localparam int Fan = machine_pkg::SYNC_FAN;
  localparam int Tiles = machine_pkg::TILES;
  localparam int Bits = sync_pkg::ANSWER_BITS;
  localparam int Nodes = sync_pkg::first(machine_pkg::SYNC_LEVELS + 1) - Tiles;  // without the tiles, as in sync_gather

  logic [Nodes*Bits-1:0] node_d, node_q;

  for (genvar l = 1; l <= machine_pkg::SYNC_LEVELS; l++) begin : g_level
    for (genvar n = 0; n < sync_pkg::nodes(l); n++) begin : g_node
      localparam int Own = sync_pkg::first(l) - Tiles + n;
      localparam int Parent = sync_pkg::first(l + 1) - Tiles + n / Fan;
      if (l == machine_pkg::SYNC_LEVELS) begin : g_root
        assign node_d[Own*Bits+:Bits] = root_i;
      end else begin : g_inner
        assign node_d[Own*Bits+:Bits] = node_q[Parent*Bits+:Bits];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int n = 0; n < Nodes; n++) node_q[n*Bits+:Bits] <= rst_ni ? node_d[n*Bits+:Bits] : '0;
  end

  for (genvar t = 0; t < Tiles; t++) begin : g_tile
    // In the order of answer_t.
    assign {ack_o[t], ack_zone_o[t*4+:4], consensus_o[t], mark_o[t*16+:16]} = node_q[t/Fan*Bits+:Bits];
  end
endmodule
