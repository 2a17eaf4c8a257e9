// Finds where moves are to be cut so that words which several tiles need in pieces of different lengths leave their
// tile once. Part of plan_exchange().
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Places in sources, ascending. `moves` are all of some tiles to others, those that continue each other joined. Only
// tiles that send more words than any tile receives are looked at: with others the phase would not be shorter.
// `most_received`: that many words; none: of these moves.
std::vector<ir::Place> multicast_cuts(const ir::Blocks& blocks, const std::vector<ir::Move>& moves,
                                      std::optional<std::uint64_t> most_received);

// The same moves, none of which goes over a cut.
std::vector<ir::Move> cut_moves(const std::vector<ir::Move>& moves, const std::vector<ir::Place>& cuts);

}  // namespace tessera::compiler
