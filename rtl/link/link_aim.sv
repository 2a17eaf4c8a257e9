// Where a packet goes next, by its word 0 and the place that it comes from (docs/reference/link.md, Routes): by a channel to another chip, or
// down to the block of its tile. The aim is a vector as in link_pkg.sv.
module link_aim (
  input  logic            comes_i,   // by a channel; else from a block
  input  link_pkg::site_t site_i,    // of the channel; of a block its number for the index
  input  logic            layer_i,   // on which it has come; of a block 0
  input  logic [31:0]     word_i,
  input  logic [5:0]      chip_i,    // this one
  input  logic [32'(words_pkg::MOST_CHIPS)*link_pkg::ROUTE_BITS-1:0]        routes_i,  // route_t of each chip
  output logic [machine_pkg::LINK_WAY_BITS+link_pkg::AIM_MARKS-1:0] aim_o
);
  localparam int WayBits = 32'(machine_pkg::LINK_WAY_BITS);
  localparam int RouteBits = 32'(link_pkg::ROUTE_BITS);

  function automatic logic [5:0] modulo(input logic [5:0] a, input logic [5:0] n);
    logic [11:0] left;
    left = {6'd0, a};
    for (int i = 5; i >= 0; i--) if (left >= ({6'd0, n} << i)) left -= {6'd0, n} << i;
    modulo = left[5:0];
  endfunction

  words_pkg::packet_header_t header;
  link_pkg::route_t          route;
  logic [31:0]               tile;
  logic [5:0]                channel;
  logic [WayBits-1:0]        down;
  logic                      here, layer;
  assign header  = word_i;
  assign here    = header.chip == chip_i;
  assign tile    = {21'd0, header.tile};
  assign route   = routes_i[32'(header.chip)*RouteBits+:RouteBits];
  assign channel = route.first + modulo(site_i.index, route.count);
  assign layer   = route.wraps || (layer_i && site_i.upright == route.upright);
  always_comb begin
    down = WayBits'(machine_pkg::LINK_CHANNELS);
    for (int b = 0; b < 32'(machine_pkg::BLOCKS); b++)
      if (tile >= b * machine_pkg::BLOCK_TILES) down = WayBits'(32'(machine_pkg::LINK_CHANNELS) + b);
  end
  assign aim_o = here ? {!comes_i || tile >= machine_pkg::TILES, 1'b0, down} : {!route.valid, layer, WayBits'(channel)};

  logic unused;
  assign unused = ^{header.kind, header.reserved16, header.words, channel};
endmodule
