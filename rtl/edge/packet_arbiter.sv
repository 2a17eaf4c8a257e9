// Decides which tile may send a packet (docs/reference/edge.md): one at a time, by request cycle, then tile id. Requests
// travel edge_latency cycles to the arbiter, and the grant as many back. A request stays queued once it has risen.
module packet_arbiter (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [machine_pkg::TILES-1:0] request_i,
  input  logic                          done_i,   // the last word of the granted packet is at the host port
  output logic [machine_pkg::TILES-1:0] grant_o,  // one cycle
  output logic [10:0]                   owner_o,  // tile whose packet is under way
  output logic                          busy_o    // a request or packet is under way
);
  localparam int Tiles = machine_pkg::TILES;
  localparam int unsigned Bits = $clog2(Tiles);

  logic [Tiles-1:0] request_q, rise, arriving;
  assign rise = request_i & ~request_q;

  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY),
    .Width(Tiles)
  ) u_request (
    .clk_i,
    .rst_ni,
    .in_i (rise),
    .out_o(arriving)
  );

  // Requests of one cycle stand together in one entry; a tile has one request at most, so Tiles entries are enough.
  // head_q: what is left of the oldest entry.
  logic [Tiles-1:0] queue[0:(1<<Bits)-1];
  logic [Bits:0]    read_q, write_q;
  logic [Tiles-1:0] head_q, current, chosen;
  logic [10:0]      chosen_id;
  logic             empty, free, grant, serving_q, push, pop;

  assign empty   = read_q == write_q;
  assign current = head_q != '0 ? head_q : (empty ? arriving : queue[read_q[Bits-1:0]]);
  assign pop     = head_q == '0 && !empty;
  assign push    = arriving != '0 && (head_q != '0 || !empty);
  assign free    = !serving_q || done_i;
  assign grant   = free && current != '0;

  always_comb begin
    chosen    = '0;
    chosen_id = '0;
    for (int t = Tiles - 1; t >= 0; t--) begin
      if (current[t]) begin
        chosen    = '0;
        chosen[t] = 1'b1;
        chosen_id = 11'(t);
      end
    end
  end

  // Requests under way: a packet counts until it is done.
  logic [Bits:0] under_way_d, under_way_q;
  always_comb begin
    under_way_d = under_way_q;
    for (int t = 0; t < Tiles; t++) under_way_d = under_way_d + {{Bits{1'b0}}, rise[t]};
    if (done_i) under_way_d = under_way_d - 1'b1;
  end
  assign busy_o = under_way_d != '0;

  always_ff @(posedge clk_i) begin
    if (push) queue[write_q[Bits-1:0]] <= arriving;
    if (!rst_ni) begin
      request_q   <= '0;
      read_q      <= '0;
      write_q     <= '0;
      head_q      <= '0;
      serving_q   <= 1'b0;
      owner_o     <= '0;
      under_way_q <= '0;
    end else begin
      request_q   <= request_i;
      under_way_q <= under_way_d;
      if (pop) read_q <= read_q + 1'b1;
      if (push) write_q <= write_q + 1'b1;
      head_q    <= grant ? current & ~chosen : current;
      serving_q <= grant || (serving_q && !done_i);
      if (grant) owner_o <= chosen_id;
    end
  end

  logic [11:0] granted;
  sync_pipe #(
    .Depth(machine_pkg::EDGE_LATENCY),
    .Width(12)
  ) u_grant (
    .clk_i,
    .rst_ni,
    .in_i ({grant, chosen_id}),
    .out_o(granted)
  );

  always_comb begin
    for (int t = 0; t < Tiles; t++) grant_o[t] = granted[11] && granted[10:0] == 11'(t);
  end
endmodule
