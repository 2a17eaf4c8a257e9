// Moves between the places of two views.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Of two equally long views, in their order.
inline std::vector<ir::Move> pair_up(const std::vector<ir::Span>& sources, const std::vector<ir::Span>& targets) {
  std::vector<ir::Move> moves;
  std::size_t s = 0, t = 0;
  std::uint32_t s_done = 0, t_done = 0;
  while (s < sources.size() && t < targets.size()) {
    const std::uint32_t bytes = std::min(sources[s].bytes - s_done, targets[t].bytes - t_done);
    moves.push_back({{sources[s].at.block, sources[s].at.offset + s_done},
                     {targets[t].at.block, targets[t].at.offset + t_done},
                     bytes});
    if ((s_done += bytes) == sources[s].bytes) ++s, s_done = 0;
    if ((t_done += bytes) == targets[t].bytes) ++t, t_done = 0;
  }
  return moves;
}

}  // namespace tessera::compiler
