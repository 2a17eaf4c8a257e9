// An exchange block joins some of the tiles to the ports of the chip: it decides which of them sends, one packet at a time,
// checks what comes, and keeps it until the port takes it (docs/reference/edge.md). A packet is granted for a credit, which
// comes back when the packet has left the FIFO, or is dropped; there are as many as packets fit.
//
// The words of a packet come without a gap, the first of them in a cycle that the grant decides: where one does not come, its
// tile has excepted or has been started anew, the packet is over, and others may send.
module exchange_block (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  // Its tiles
  input  logic [machine_pkg::BLOCK_TILES-1:0]    request_i,
  output logic [machine_pkg::BLOCK_TILES-1:0]    grant_o,
  input  logic [machine_pkg::BLOCK_TILES*34-1:0] words_i,   // by tile: valid, last, data
  // A word for the port, from here a register away
  output logic                                  valid_o,
  output logic                                  last_o,
  output logic                                  bad_o,     // with the last word: the packet is to be forgotten
  output logic [31:0]                           data_o,
  input  logic                                  take_i,    // the word goes
  output logic                                  idle_o     // no packet queued or in flight to the port
);
  localparam int Tiles = machine_pkg::BLOCK_TILES;
  localparam int unsigned UpDepth = machine_pkg::EDGE_LATENCY - 2;
  // Cycles from the decision to grant to the first word here: there, three in the tile, back.
  localparam int unsigned ToFirst = machine_pkg::EDGE_LATENCY + 3 + UpDepth;
  localparam int unsigned CountBits = $clog2(ToFirst + 1);
  localparam int unsigned CreditBits = $clog2(machine_pkg::BLOCK_PACKETS + 1);
  localparam logic [CreditBits-1:0] All = CreditBits'(machine_pkg::BLOCK_PACKETS);

  logic [10:0]           owner;
  logic [33:0]           word, up;
  logic                  serving_q, grants, waiting, due, over, dropped, sound, last, bad;
  logic [31:0]           data;
  logic [CountBits-1:0]  until_q;    // cycles until the first word
  logic [CreditBits-1:0] credits_q;
  logic [1:0]            back;       // credits that come back

  packet_arbiter u_arbiter (
    .clk_i,
    .rst_ni,
    .request_i,
    .free_i   (!serving_q && credits_q != '0),
    .grant_o,
    .grants_o (grants),
    .owner_o  (owner),
    .waiting_o(waiting)
  );

  assign due  = serving_q && until_q == '0;
  assign back = {1'b0, dropped} + {1'b0, take_i && last_o};
  always_ff @(posedge clk_i) begin
    if (grants) until_q <= CountBits'(ToFirst - 1);
    else if (until_q != '0) until_q <= until_q - 1'b1;
    if (!rst_ni) begin
      serving_q <= 1'b0;
      credits_q <= All;
    end else begin
      serving_q <= grants || (serving_q && !over);
      credits_q <= credits_q - CreditBits'(grants) + CreditBits'(back);
    end
  end

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
    .due_i    (due),
    .valid_i  (up[33]),
    .last_i   (up[32]),
    .data_i   (up[31:0]),
    .over_o   (over),
    .dropped_o(dropped),
    .valid_o  (sound),
    .last_o   (last),
    .bad_o    (bad),
    .data_o   (data)
  );

  packet_fifo u_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(sound),
    .word_i ({last, bad, data}),
    .valid_o,
    .word_o ({last_o, bad_o, data_o}),
    .take_i
  );

  assign idle_o = !waiting && credits_q == All;

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_packet_at_a_time : assert (!grants || !serving_q);
      credits_are_never_negative : assert (!grants || credits_q != '0);
      credits_come_back_once : assert ({1'b0, credits_q} + (CreditBits + 1)'(back) <= {1'b0, All});
      idle_with_no_packet : assert (!idle_o || (!serving_q && !valid_o));
      idle_with_no_request : assert (!idle_o || !waiting);
    end
  end
`endif
endmodule
