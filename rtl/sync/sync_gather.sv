// From the tiles' requests to the root, a register a level: what is at the root in cycle y is the AND of what the tiles
// showed in y - machine_pkg::SYNC_LEVELS.
module sync_gather (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [machine_pkg::TILES-1:0]   request_i,
  input  logic [machine_pkg::TILES*4-1:0] zone_i,
  input  logic [machine_pkg::TILES-1:0]   value_i,
  output sync_pkg::gathered_t             root_o
);
  localparam int Tiles = machine_pkg::TILES;
  localparam int Fan = machine_pkg::SYNC_FAN;
  localparam int Bits = sync_pkg::GATHERED_BITS;
  localparam int Nodes = sync_pkg::first(machine_pkg::SYNC_LEVELS + 1);  // the tiles, then level by level

  logic [Tiles*Bits-1:0]         tile;
  logic [Nodes*Bits-1:0]         node;
  logic [(Nodes-Tiles)*Bits-1:0] node_d, node_q;
  assign node   = {node_q, tile};
  assign root_o = node[(Nodes-1)*Bits+:Bits];

  for (genvar t = 0; t < Tiles; t++) begin : g_tile
    logic [3:0] zone;
    assign zone = zone_i[t*4+:4];
    assign tile[t*Bits+:Bits] = {  // in the order of gathered_t
      request_i[t] && (zone == words_pkg::SYNC_INTERNAL || zone == words_pkg::SYNC_AUTOMATIC),
      request_i[t] && zone == words_pkg::SYNC_EXTERNAL,
      request_i[t] && zone == words_pkg::SYNC_HOST,
      request_i[t] && zone == words_pkg::SYNC_REPLICA,
      value_i[t]
    };
  end

  for (genvar l = 1; l <= machine_pkg::SYNC_LEVELS; l++) begin : g_level
    for (genvar n = 0; n < sync_pkg::nodes(l); n++) begin : g_node
      localparam int Child = sync_pkg::first(l - 1) + Fan * n;
      localparam int Left = sync_pkg::nodes(l - 1) - Fan * n;
      localparam int Children = Left < Fan ? Left : Fan;
      logic [Bits-1:0] all;
      always_comb begin
        all = '1;
        for (int c = 0; c < Children; c++) all &= node[(Child+c)*Bits+:Bits];
      end
      assign node_d[(sync_pkg::first(l)-Tiles+n)*Bits+:Bits] = all;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) node_q <= '0;
    else node_q <= node_d;
  end
endmodule
