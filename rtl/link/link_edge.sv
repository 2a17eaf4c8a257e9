// What joins a chip to those beside it (docs/reference/link.md): the packets of its exchange blocks that are for other chips go to channels,
// those that come by channels to others or down to the tiles. Each way takes one packet at a time; each source gives one. A channel's
// credits are the free slots of the queues at its other end.
module link_edge (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [5:0]  chip_i,          // its number in the system
  // Registers of the host port
  input  logic        table_write_i,
  input  logic [6:0]  table_select_i,
  input  logic [31:0] table_data_i,
  output logic [31:0] table_data_o,
  // Packets for other chips, by block: last, bad, data
  input  logic [machine_pkg::BLOCKS-1:0]      valid_i,
  input  logic [machine_pkg::BLOCKS*34-1:0]   word_i,
  output logic [machine_pkg::BLOCKS-1:0]      take_o,
  // Down to the tiles of each block
  input  logic                             hold_i,         // none begins
  output logic [machine_pkg::BLOCKS-1:0]      down_valid_o,
  output logic [machine_pkg::BLOCKS-1:0]      down_first_o,
  output logic [machine_pkg::BLOCKS*32-1:0]   down_data_o,
  // Channels: valid, layer, last, bad, data
  output logic [machine_pkg::LINK_CHANNELS*36-1:0] channel_o,
  input  logic [machine_pkg::LINK_CHANNELS*36-1:0] channel_i,
  output logic [machine_pkg::LINK_QUEUES-1:0]      credit_o,       // a slot is free again at this end; by channel and layer
  input  logic [machine_pkg::LINK_QUEUES-1:0]      credit_i        // and at the other
);
  localparam int Layers = 32'(words_pkg::LINK_LAYERS);
  localparam int Blocks = 32'(machine_pkg::BLOCKS);
  localparam int Channels = 32'(machine_pkg::LINK_CHANNELS);
  localparam int Sources = 32'(machine_pkg::LINK_SOURCES);
  localparam int Ways = 32'(machine_pkg::LINK_WAYS);
  localparam int WayBits = 32'(machine_pkg::LINK_WAY_BITS);
  localparam int AimBits = WayBits + 32'(link_pkg::AIM_MARKS);
  localparam int RouteBits = 32'(link_pkg::ROUTE_BITS);
  localparam int SiteBits = 32'(link_pkg::SITE_BITS);
  localparam int CreditBits = $clog2(machine_pkg::LINK_PACKETS + 1);

  logic [32'(words_pkg::MOST_CHIPS)*RouteBits-1:0] routes;
  logic [Channels*SiteBits-1:0] sites;
  link_routes u_routes (
    .clk_i,
    .rst_ni,
    .write_i (table_write_i),
    .entry_i (table_select_i),
    .data_i  (table_data_i),
    .data_o  (table_data_o),
    .routes_o(routes),
    .sites_o (sites)
  );

  // Sources: whether a packet is there that does not go yet, its aim, and the word that would go.
  logic [Sources-1:0]         offers, last, bad, take, nowhere;
  logic [Sources*AimBits-1:0] aims;
  logic [Sources*32-1:0]      data;

  for (genvar b = 0; b < Blocks; b++) begin : g_block
    logic goes_q;
    assign offers[b] = valid_i[b] && !goes_q;
    assign last[b]   = word_i[b*34+33];
    assign bad[b]    = word_i[b*34+32];
    assign data[b*32+:32] = word_i[b*34+:32];
    assign take_o[b] = take[b];
    link_aim u_aim (
      .comes_i (1'b0),
      .site_i  ({1'b0, 6'(b)}),
      .layer_i (1'b0),
      .word_i  (word_i[b*34+:32]),
      .chip_i,
      .routes_i(routes),
      .aim_o   (aims[b*AimBits+:AimBits])
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) goes_q <= 1'b0;
      else if (take[b]) goes_q <= !last[b];
    end
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        block_gives_without_a_gap : assert (!goes_q || valid_i[b]);
        block_is_taken_when_valid : assert (!take[b] || valid_i[b]);
      end
    end
`endif
  end

  logic [Ways*Layers-1:0]     may, open;  // whether a packet of each layer may start; and does, for whoever offers it
  logic [Channels*Layers-1:0] free;       // a slot of each queue is free again
  for (genvar c = 0; c < Channels; c++) begin : g_channel
    logic               valid, layer, last_in, bad_in;
    logic [31:0]        word;
    logic [AimBits-1:0] coming;
    assign {valid, layer, last_in, bad_in, word} = channel_i[c*36+:36];
    link_aim u_aim (
      .comes_i (1'b1),
      .site_i  (sites[c*SiteBits+:SiteBits]),
      .layer_i (layer),
      .word_i  (word),
      .chip_i,
      .routes_i(routes),
      .aim_o   (coming)
    );
    for (genvar l = 0; l < Layers; l++) begin : g_layer
      localparam int S = Blocks + c * Layers + l;
      link_queue u_queue (
        .clk_i,
        .rst_ni,
        .valid_i (valid && layer == 1'(l)),
        .last_i  (last_in),
        .bad_i   (bad_in),
        .data_i  (word),
        .aim_i   (coming),
        .open_i  (open),
        .offers_o(offers[S]),
        .aim_o   (aims[S*AimBits+:AimBits]),
        .last_o  (last[S]),
        .data_o  (data[S*32+:32]),
        .take_i  (take[S]),
        .credit_o(free[c*Layers+l])
      );
      assign bad[S] = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) credit_o <= '0;
    else credit_o <= free;
  end

  // Packets that have nowhere to go are taken, and forgotten.
  logic [Sources-1:0] layers, forgets, forgotten_q;
  for (genvar s = 0; s < Sources; s++) begin : g_source
    assign nowhere[s] = aims[s*AimBits+AimBits-1];
    assign layers[s]  = aims[s*AimBits+WayBits];
  end
  assign forgets = offers & nowhere;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) forgotten_q <= '0;
    else forgotten_q <= (forgotten_q | forgets) & ~last;
  end

  logic [Ways*Sources-1:0] takes;
  logic [Ways*35-1:0]      words;      // valid, last, bad, data
  logic [Ways-1:0]         starts;
  logic [Ways-1:0]         layer;  // of the packet that starts
  always_comb begin
    take = forgets | forgotten_q;
    for (int w = 0; w < Ways; w++) take |= takes[w*Sources+:Sources];
  end
  for (genvar w = 0; w < Ways; w++) begin : g_way
    logic [Sources-1:0] wants;
    logic [34:0]        word;
    logic               idle;
    always_comb begin
      for (int s = 0; s < Sources; s++)
        wants[s] = offers[s] && !nowhere[s] && aims[s*AimBits+:WayBits] == WayBits'(w) && may[w*Layers+32'(layers[s])];
    end
    link_turns u_turns (
      .clk_i,
      .rst_ni,
      .wants_i (wants),
      .last_i  (last),
      .take_o  (takes[w*Sources+:Sources]),
      .starts_o(starts[w]),
      .free_o  (idle)
    );
    assign open[w*Layers+:Layers] = may[w*Layers+:Layers] & {Layers{idle}};
    assign layer[w] = (layers & takes[w*Sources+:Sources]) != '0;
    always_comb begin
      word = '0;
      for (int s = 0; s < Sources; s++) word |= {1'b1, last[s], bad[s], data[s*32+:32]} & {35{takes[w*Sources+s]}};
    end
    assign words[w*35+:35] = word;
  end

  for (genvar c = 0; c < Channels; c++) begin : g_out
    logic [34:0] word;
    logic        layer_q;
    assign word = words[c*35+:35];
    for (genvar l = 0; l < Layers; l++) begin : g_layer
      logic [CreditBits-1:0] credits_q;
      logic                  spent;
      assign may[c*Layers+l] = credits_q != '0;
      assign spent = starts[c] && layer[c] == 1'(l);
      always_ff @(posedge clk_i) begin
        if (!rst_ni) credits_q <= CreditBits'(machine_pkg::LINK_PACKETS);
        else credits_q <= credits_q - CreditBits'(spent) + CreditBits'(credit_i[c*Layers+l]);
      end
`ifndef SYNTHESIS
      always_ff @(posedge clk_i) begin
        if (rst_ni)
          credits_come_back_once : assert (!credit_i[c*Layers+l] || credits_q != CreditBits'(machine_pkg::LINK_PACKETS));
      end
`endif
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) channel_o[c*36+:36] <= '0;
      else channel_o[c*36+:36] <= {word[34], word[34] && (starts[c] ? layer[c] : layer_q), word[33:0]};
      if (starts[c]) layer_q <= layer[c];
    end
  end

  for (genvar b = 0; b < Blocks; b++) begin : g_down
    logic [34:0] word;
    logic [33:0] down, down_q;
    assign word = words[(Channels+b)*35+:35];
    assign may[(Channels+b)*Layers+:Layers] = {Layers{!hold_i}};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) down_q <= '0;
      else down_q <= {word[34], starts[Channels+b], word[31:0]};
    end
    sync_pipe #(  // the last register of the way is the tile's
      .Depth(machine_pkg::EDGE_LATENCY - 1),
      .Width(34)
    ) u_pipe (
      .clk_i,
      .rst_ni,
      .in_i (down_q),
      .out_o(down)
    );
    assign {down_valid_o[b], down_first_o[b], down_data_o[b*32+:32]} = down;
    logic unused;
    assign unused = ^{word, layer[Channels+b]};
  end
endmodule
