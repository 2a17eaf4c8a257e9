// Decides which of a block's tiles may send a packet (docs/reference/edge.md): one at a time, by the cycle of the request, then by tile.
// A request is a level that lasts until its grant has come to the tile; one that falls before it is granted is withdrawn.
// Requests travel edge_latency cycles to the decision, and the grant as many back.
//
// Each tile has the stamp of its request: requests of one cycle share one, the next cycle with requests has the next. Who has
// waited longest is found by a tree of comparisons, a register a level, the last part of the requests' way. It lags behind the
// tiles' requests by its levels. What was granted asks until its tile has taken the request away, which comes to the root before
// anybody else is granted.
// No stamp comes round while its request waits: there are 64 times as many as tiles, and should so many requests be withdrawn
// meanwhile (which takes starts by a debugger) that a quarter of them is in use, the stamp stands still and later requests count as of one cycle.
module packet_arbiter (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [machine_pkg::BLOCK_TILES-1:0] request_i,
  input  logic                          free_i,    // a packet may be granted in this cycle: not in the first 2 * edge_latency behind a grant
  output logic [machine_pkg::BLOCK_TILES-1:0] grant_o,   // at the tiles, one cycle
  output logic                          grants_o,  // now
  output logic [10:0]                   owner_o,   // which of the tiles the last grant was to
  output logic                          waiting_o  // a request has come that is not granted
);
  localparam int Tiles = machine_pkg::BLOCK_TILES;
  localparam int Levels = $clog2(Tiles);
  localparam int Leaves = 1 << Levels;
  localparam int Stamp = Levels + 6;
  localparam logic [Stamp-1:0] Quarter = Stamp'(16 * Leaves);
  localparam int Node = 1 + Stamp + Levels;  // some, its stamp, its tile

  logic [Tiles-1:0] request, request_q, asks_d, asks_q, fresh;  // at the leaves; asks: wants a grant
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY - Levels),
    .Width(Tiles)
  ) u_request (
    .clk_i,
    .rst_ni,
    .in_i (request_i),
    .out_o(request)
  );
  assign fresh  = request & ~request_q;
  assign asks_d = (asks_q & request) | fresh;

  // Node n has the children 2n and 2n + 1, the leaves are from Leaves on; node 1 is the root. Of two stamps the earlier is that
  // from which it is less than half way round to the other.
  logic [Tiles*Stamp-1:0]   stamp_q;
  logic [Stamp-1:0]         next_q, root_stamp;
  logic [2*Leaves*Node-1:Node] node;
  logic [Leaves*Node-1:Node] node_d, node_q;
  logic [Levels-1:0]        root_tile;
  logic                     root;
  for (genvar t = 0; t < Leaves; t++) begin : g_leaf
    if (t < Tiles) begin : g_tile
      assign node[(Leaves+t)*Node+:Node] = {asks_d[t], fresh[t] ? next_q : stamp_q[t*Stamp+:Stamp], Levels'(t)};
    end else begin : g_none
      assign node[(Leaves+t)*Node+:Node] = '0;
    end
  end
  for (genvar n = 1; n < Leaves; n++) begin : g_node
    logic [Node-1:0]  left, right;
    logic [Stamp-1:0] further;
    assign left    = node[2*n*Node+:Node];
    assign right   = node[(2*n+1)*Node+:Node];
    assign further = right[Levels+:Stamp] - left[Levels+:Stamp];
    assign node_d[n*Node+:Node] = left[Node-1] && (!right[Node-1] || !further[Stamp-1]) ? left : right;
  end
  assign node[Leaves*Node-1:Node]      = node_q;
  assign {root, root_stamp, root_tile} = node[Node+:Node];

  assign waiting_o = root;
  assign grants_o  = free_i && root;

  logic [Levels:0] quiet_q;  // the last cycles in which nothing was asked: after so many the tree holds nothing
  always_ff @(posedge clk_i) begin
    if (!rst_ni) node_q <= '0;
    else if (asks_d != '0 || quiet_q != '1) node_q <= node_d;
    for (int t = 0; t < Tiles; t++) if (fresh[t]) stamp_q[t*Stamp+:Stamp] <= next_q;
    if (!rst_ni) begin
      request_q <= '0;
      asks_q    <= '0;
      next_q    <= '0;
      owner_o   <= '0;
      quiet_q   <= '1;
    end else begin
      request_q <= request;
      asks_q    <= asks_d;
      quiet_q   <= {quiet_q[Levels-1:0], asks_d == '0};
      if (grants_o) owner_o <= 11'(root_tile);
      if (fresh != '0 && !(root && next_q - root_stamp >= Quarter)) next_q <= next_q + 1'b1;
    end
  end

  logic [11:0] granted;
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY),
    .Width(12)
  ) u_grant (
    .clk_i,
    .rst_ni,
    .in_i ({grants_o, 11'(root_tile)}),
    .out_o(granted)
  );

  always_comb begin
    for (int t = 0; t < Tiles; t++) grant_o[t] = granted[11] && granted[10:0] == 11'(t);
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_tile_is_granted : assert ((grant_o & (grant_o - Tiles'(1))) == '0);
      who_has_no_request_asks_nothing : assert ((asks_q & ~request_q) == '0);
      stamps_tell_who_is_older : assert (!root || !((next_q - root_stamp) >> (Stamp - 1) != '0));
    end
  end
`endif
endmodule
