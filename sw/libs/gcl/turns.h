// Who sends what to whom, so that n ranks reduce data of n units between them and gather the result.
#pragma once

#include <functional>
#include <vector>

namespace gcl {

using Units = std::vector<unsigned>;

// Turns in which ranks first reduce, then gather; in each a rank gets from one other. Of what all ranks do at the same
// time each does the same: what one has got in its k-th place in some turn, and gives in another, all have got and
// give.
struct Turns {
  unsigned reduce, gather;
  std::function<unsigned(unsigned rank)> own;  // the unit that the rank has reduced in the end
  std::function<unsigned(unsigned rank, unsigned turn)> reduce_from, gather_from;
  // Units of which a rank gets what others have added up so far, in order. What it has itself it adds when it gives
  // them in a later turn, or in the end.
  std::function<Units(unsigned rank, unsigned turn)> gets;
  // Whole units that a rank gives.
  std::function<Units(unsigned rank, unsigned turn)> gives;
};

// Round a circle in the order of ranks, or the other way: n - 1 turns to reduce, and as many to gather.
Turns around(unsigned n, bool clockwise);

// With the rank whose number differs in one bit, half of what there is each time, of a power of 2 of ranks: beginning
// with bit `first`, then the others in the circle.
Turns halving(unsigned n, unsigned first);

}  // namespace gcl
