// Copies inside one tile: grouping by tile, joining of neighbours and of regular patterns.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/passes/lowered.h"

namespace tessera::compiler {

// first[t]: index of the first of `items` things, sorted by tile, whose tile is t or above; tiles + 1 entries.
template <class TileOf>
std::vector<std::uint32_t> first_by_tile(std::size_t items, std::uint32_t tiles, const TileOf& tile_of) {
  std::vector<std::uint32_t> first(tiles + 1);
  std::size_t next = 0;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    while (next < items && tile_of(next) < tile) ++next;
    first[tile] = static_cast<std::uint32_t>(next);
  }
  first[tiles] = static_cast<std::uint32_t>(items);
  return first;
}

// Copies of any tiles, in order; runs that continue each other become one, equal runs at equal distances one strided
// copy.
LocalCopies group_copies(std::vector<LocalCopy> copies, const Lowered& lowered);

}  // namespace tessera::compiler
