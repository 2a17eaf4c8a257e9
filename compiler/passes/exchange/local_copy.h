// Copies inside one tile: grouping by tile, joining of neighbours and of regular patterns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/block.h"
#include "compiler/ir/tile_index.h"

namespace tessera::compiler {

// `count` runs of `bytes` bytes on one tile, the k-th from source + k * source_step to target + k * target_step.
struct LocalCopy {
  ir::Place source, target;
  std::uint32_t bytes = 0;
  std::uint32_t count = 1;
  std::int32_t source_step = 0, target_step = 0;
  std::uint32_t source_lane = ir::kNone, target_lane = ir::kNone;  // of the exchange: whose shift the place has
};

// Those of one tile may be made in any order.
struct LocalCopies {
  std::vector<LocalCopy> copies;  // by tile
  ir::TileIndex of_tile;          // of copies
};

// Copies of any tiles, in order of lists; runs that continue each other become one, equal runs at equal distances one
// strided copy. `tiles`: more than the number of any; `threads`: as in parallel.h.
LocalCopies group_copies(std::span<const std::vector<LocalCopy>> lists, const ir::Blocks& blocks, std::uint32_t tiles,
                         unsigned threads);

}  // namespace tessera::compiler
