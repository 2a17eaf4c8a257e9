// The trees of a chip's sync (docs/reference/exchange.md, Sync controller): what they carry, and their shape. Level 0 is the
// tiles; each node of a level joins machine_pkg::SYNC_FAN of the level before it, the last fewer, and the one node of
// level machine_pkg::SYNC_LEVELS is the root.
package sync_pkg;
  typedef struct packed {
    logic internal;  // all tiles below request in this zone
    logic external;
    logic host;
    logic replica;
    logic value;     // the AND of what they contribute
  } gathered_t;

  typedef struct packed {
    logic        valid;  // the acknowledgement; the rest is 0 without it
    logic [3:0]  zone;
    logic        consensus;
    logic [15:0] mark;   // of the host's answer in zone 4, else 0
  } answer_t;

  typedef enum logic [31:0] { GATHERED_BITS = 5, ANSWER_BITS = 22 } bits_e;

  // Nodes of a level, and those of all levels before it.
  function automatic logic [31:0] nodes(input logic [31:0] level);
    nodes = machine_pkg::TILES;
    for (logic [31:0] l = 0; l < level; l = l + 1) nodes = (nodes + machine_pkg::SYNC_FAN - 1) / machine_pkg::SYNC_FAN;
  endfunction
  function automatic logic [31:0] first(input logic [31:0] level);
    first = 0;
    for (logic [31:0] l = 0; l < level; l = l + 1) first = first + nodes(l);
  endfunction
endpackage
