// Decides which tile may send a packet (docs/reference/edge.md): one at a time, by the cycle of the request, then by tile.
// A request is a level that lasts until its grant has come to the tile; one that falls before it is granted is withdrawn.
// Requests travel edge_latency cycles to the arbiter, and the grant as many back.
//
// Each tile has the stamp of its request: requests of one cycle share one, the next cycle with requests has the next. Who has
// waited longest is found by a tree of comparisons, so that nothing here grows faster than the tiles. A request that waits
// while 4,094 cycles with other requests pass (tiles have to be started anew for that) holds the stamp still, and
// requests behind it count as of one cycle.
module packet_arbiter (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [machine_pkg::TILES-1:0] request_i,
  input  logic                          free_i,   // a packet may be granted in this cycle
  output logic [machine_pkg::TILES-1:0] grant_o,  // at the tiles, one cycle
  output logic                          grants_o,   // now
  output logic [10:0]                   owner_o,    // the tile of the last grant
  output logic                          waiting_o  // a request has come that is not granted
);
  localparam int Tiles = machine_pkg::TILES;
  localparam int Bits = $clog2(Tiles);
  localparam int Leaves = 1 << Bits;
  localparam int Stamp = 12;

  logic [Tiles-1:0] request, request_q, asks_d, asks_q, fresh;  // at the arbiter; asks: wants a grant
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY),
    .Width(Tiles)
  ) u_request (
    .clk_i,
    .rst_ni,
    .in_i (request_i),
    .out_o(request)
  );
  assign fresh  = request & ~request_q;
  assign asks_d = (asks_q & request) | fresh;

  // What has waited since stamp s has the age next - s, 1 or more; a fresh request 0. Node n of the tree has the children
  // 2n and 2n + 1; of two equal ages the lower tile goes first.
  logic [Tiles*Stamp-1:0]    stamp_q;
  logic [Stamp-1:0]          next_q;
  logic [2*Leaves-1:0]       some;
  logic [2*Leaves*Stamp-1:0] age;
  logic [2*Leaves*11-1:0]    who;
  logic                      left;
  always_comb begin
    some = '0;
    age  = '0;
    who  = '0;
    left = 1'b0;
    if (asks_d != '0) begin
      for (int t = 0; t < Tiles; t++) begin
        some[Leaves+t]           = asks_d[t];
        age[(Leaves+t)*Stamp+:Stamp] = fresh[t] ? '0 : next_q - stamp_q[t*Stamp+:Stamp];
        who[(Leaves+t)*11+:11]   = 11'(t);
      end
      for (int n = Leaves - 1; n > 0; n--) begin
        left = some[2*n] && (!some[2*n+1] || age[2*n*Stamp+:Stamp] >= age[(2*n+1)*Stamp+:Stamp]);
        some[n]              = some[2*n] || some[2*n+1];
        age[n*Stamp+:Stamp]  = left ? age[2*n*Stamp+:Stamp] : age[(2*n+1)*Stamp+:Stamp];
        who[n*11+:11]        = left ? who[2*n*11+:11] : who[(2*n+1)*11+:11];
      end
    end
  end
  assign waiting_o = some[1];
  assign grants_o  = free_i && some[1];

  logic held;  // the oldest is as old as stamps can tell
  assign held = some[1] && age[Stamp+:Stamp] == '1;

  always_ff @(posedge clk_i) begin
    for (int t = 0; t < Tiles; t++) if (fresh[t]) stamp_q[t*Stamp+:Stamp] <= next_q;
    if (!rst_ni) begin
      request_q <= '0;
      asks_q    <= '0;
      next_q    <= '0;
      owner_o   <= '0;
    end else begin
      request_q <= request;
      asks_q    <= asks_d;
      if (grants_o) begin
        owner_o               <= who[11+:11];
        asks_q[who[11+:Bits]] <= 1'b0;
      end
      if (fresh != '0 && !held) next_q <= next_q + 1'b1;
    end
  end
  logic [11:0] granted;
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY),
    .Width(12)
  ) u_grant (
    .clk_i,
    .rst_ni,
    .in_i ({grants_o, who[11+:11]}),
    .out_o(granted)
  );

  always_comb begin
    for (int t = 0; t < Tiles; t++) grant_o[t] = granted[11] && granted[10:0] == 11'(t);
  end
endmodule
