// Makes copies that stand one after the other independent, and leaves out what they need not move. Part of
// merge_phases().
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Moves of one copy step; they replace those of its exchange.
struct NewMoves {
  std::size_t step = 0;  // index into the steps given
  std::vector<ir::Move> moves;
};

// `copies`: copy steps without another step between them. A copy that reads what one before it has written reads that
// one's source instead, if all it reads can be had so and the busiest port of both together has no more words than
// that of the one and that of the other.
std::vector<NewMoves> forward_copies(const ir::Program& program, std::span<const ir::Step> copies);

}  // namespace tessera::compiler
