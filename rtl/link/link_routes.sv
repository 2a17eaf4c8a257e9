// What the host tells a chip of the system around it: by which channels packets for each chip go on, and where each channel leads
// (docs/reference/link.md).
module link_routes (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        write_i,
  input  logic [6:0]  entry_i,   // a chip; from 64 on a channel
  input  logic [31:0] data_i,
  output logic [31:0] data_o,    // what stands there
  output logic [32'(words_pkg::MOST_CHIPS)*link_pkg::ROUTE_BITS-1:0] routes_o,  // route_t of each chip
  output logic [machine_pkg::LINK_CHANNELS*link_pkg::SITE_BITS-1:0]          sites_o    // site_t of each channel
);
  localparam int Chips = 32'(words_pkg::MOST_CHIPS);
  localparam int RouteBits = 32'(link_pkg::ROUTE_BITS);
  localparam int SiteBits = 32'(link_pkg::SITE_BITS);

  // Bits that no field has read 0.
  link_pkg::route_t         route;
  link_pkg::site_t          site;
  words_pkg::route_entry_t  shown_route, new_route;
  words_pkg::channel_site_t shown_site, new_site;
  logic [SiteBits-1:0]      site_bits;
  always_comb begin
    site_bits = '0;
    for (int c = 0; c < machine_pkg::LINK_CHANNELS; c++)
      if (entry_i[5:0] == 6'(c)) site_bits = sites_o[c*SiteBits+:SiteBits];
  end
  assign route = routes_o[32'(entry_i[5:0])*RouteBits+:RouteBits];
  assign site  = site_bits;
  always_comb begin
    shown_route         = '0;
    shown_site          = '0;
    shown_route.valid   = route.valid;
    shown_route.wraps   = route.wraps;
    shown_route.upright = route.upright;
    shown_route.first   = route.first;
    shown_route.count   = route.count;
    shown_site.upright  = site.upright;
    shown_site.index    = site.index;
  end
  assign data_o = entry_i[6] ? shown_site : shown_route;

  link_pkg::route_t kept_route;
  link_pkg::site_t  kept_site;
  assign new_route  = data_i;
  assign new_site   = data_i;
  logic [6:0]       behind;  // the channel behind its last
  logic             leads;
  assign behind     = {1'b0, new_route.first} + {1'b0, new_route.count};
  assign leads      = new_route.count != '0 && 32'(behind) <= machine_pkg::LINK_CHANNELS;
  assign kept_route = {new_route.valid && leads, new_route.wraps, new_route.upright, new_route.first, new_route.count};
  assign kept_site  = {new_site.upright, new_site.index};
  for (genvar c = 0; c < Chips; c++) begin : g_route
    always_ff @(posedge clk_i) begin
      if (!rst_ni) routes_o[c*RouteBits+:RouteBits] <= '0;
      else if (write_i && entry_i == {1'b0, 6'(c)}) routes_o[c*RouteBits+:RouteBits] <= kept_route;
    end
  end
  for (genvar c = 0; c < machine_pkg::LINK_CHANNELS; c++) begin : g_site
    always_ff @(posedge clk_i) begin
      if (!rst_ni) sites_o[c*SiteBits+:SiteBits] <= '0;
      else if (write_i && entry_i == {1'b1, 6'(c)}) sites_o[c*SiteBits+:SiteBits] <= kept_site;
    end
  end

  logic unused;
  assign unused = ^{new_route.reserved3, new_route.reserved18, new_route.reserved26, new_site.reserved1, new_site.reserved18};
endmodule
