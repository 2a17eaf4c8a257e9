// Where the words of a chip pass on their way from tile to tile, and how many registers they pass there
// (docs/reference/exchange.md, Structure). The sums are the latencies of Machine::latency, which tests compare pair by pair.
//
// A side is the tiles of a column whose lanes are even, or odd: their words run together; machine_pkg counts them. Positions count the columns of
// either half of the chip from its outer edge; `far` is the half beyond the middle.
package exchange_pkg;
  // Of a tile: its side, and its word among those of the side.
  function automatic logic [31:0] side_of(input logic [10:0] tile);
    side_of = 2 * ({21'd0, tile} / machine_pkg::LANES % machine_pkg::COLUMNS) + {21'd0, tile} % machine_pkg::LANES % 2;
  endfunction
  function automatic logic [31:0] word_of(input logic [10:0] tile);
    word_of = {21'd0, tile} / (machine_pkg::LANES * machine_pkg::COLUMNS) * ((machine_pkg::LANES + 1) / 2)
        + {21'd0, tile} % machine_pkg::LANES / 2;
  endfunction

  // Registers of every word between the base of its column and the trunks, and of the way from there to a multiplexer's
  // output and back to the tile.
  typedef enum logic [31:0] { APPROACH = 13 } approach_e;
  typedef enum logic [31:0] { SPREAD = 6 } spread_e;  // what lanes lie apart behind a multiplexer, at most, in both directions together

  // Whether a column, or the side of a number (2 * column + parity of the lane), is in the far half; its position.
  function automatic logic is_far(input logic [31:0] column);
    is_far = column >= machine_pkg::COLUMNS / 2;
  endfunction
  function automatic logic [31:0] position(input logic [31:0] column);
    position = is_far(column) ? machine_pkg::COLUMNS - 1 - column : column;
  endfunction

  // A side whose lanes lie away from the edge enters the trunks one position further in.
  function automatic logic is_inner(input logic [31:0] side);
    is_inner = is_far(side / 2) != (side % 2 != 0);
  endfunction
  // The first position that its words reach outwards from the edge; those before it they reach the other way.
  function automatic logic [31:0] entry(input logic [31:0] side);
    entry = position(side / 2) + (is_inner(side) ? 1 : 0);
  endfunction

  // Registers from the end of the approach to the first position, and from one position to the next.
  function automatic logic [31:0] entry_depth(input logic [31:0] side, input logic to_far, input logic back);
    logic [31:0] nearer, across;
    nearer = is_inner(side) ? (to_far ? 3 : 5) : 0;
    across = is_far(side / 2) && !to_far ? machine_pkg::COLUMNS : 0;
    entry_depth = (to_far ? (back ? 8 : 5) : (back ? 10 : 5)) - nearer + across;
  endfunction
  function automatic logic [31:0] step_depth(input logic to_far, input logic back);
    step_depth = to_far ? (back ? 9 : 3) : (back ? 11 : 1);
  endfunction

  // Registers behind the multiplexer of a tile for words that come outwards, 1 to 5; those that come back pass what is left
  // of SPREAD.
  function automatic logic [31:0] exit_depth(input logic [31:0] lane, input logic far);
    if (lane >= 2) exit_depth = far == (lane % 2 != 0) ? 2 : 4;
    else exit_depth = far == (lane % 2 != 0) ? 1 : 5;
  endfunction
endpackage
