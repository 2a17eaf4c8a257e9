// Words of a chip's links (docs/reference/link.md). A channel is a word a cycle each way; a link has link_words of them. Sources are what
// packets come from: the exchange blocks, then of each channel its queues, one a layer. Ways are where they go: the channels, then the
// ways down to the tiles of each block. How many there are stands in machine_pkg.
//
// Where a packet goes next, its aim, is a vector of machine_pkg::LINK_WAY_BITS + AIM_MARKS bits, since packages cannot lean on each other:
// {nowhere: it is forgotten, layer: of a channel, way}.
package link_pkg;
  // What of an entry of the table is kept (words.md, RouteEntry and ChannelSite), and how many bits that is.
  typedef struct packed {
    logic       valid;
    logic       wraps;
    logic       upright;
    logic [5:0] first;
    logic [5:0] count;
  } route_t;
  typedef struct packed {
    logic       upright;
    logic [5:0] index;
  } site_t;
  typedef enum logic [31:0] { AIM_MARKS = 2, SITE_BITS = 7, ROUTE_BITS = 15 } bits_e;
endpackage
