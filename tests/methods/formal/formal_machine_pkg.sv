// A small machine for the proofs of sync and edge: two tiles, latencies of a few cycles, three exchange blocks. Nothing in the RTL depends on their size.
package machine_pkg;
  localparam int unsigned TILES = 2;
  localparam int unsigned BLOCKS = 3;
  localparam int unsigned SYNC_FAN = 4;
  localparam int unsigned SYNC_LEVELS = 1;
  localparam int unsigned SYNC_REQUEST = 2;
  localparam int unsigned SYNC_ACKNOWLEDGE = 2;
  localparam int unsigned EXTERNAL_REQUEST = 2;
  localparam int unsigned EXTERNAL_ACKNOWLEDGE = 3;
endpackage
