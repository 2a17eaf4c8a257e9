#include "compiler/passes/exchange/local_copy.h"

#include <algorithm>
#include <cstdint>

#include "compiler/passes/exchange/group_by_tile.h"

namespace tessera::compiler {
namespace {

// Makes `copy` part of `last` if it continues it.
bool absorb(LocalCopy& last, const LocalCopy& copy) {
  if (last.source.block != copy.source.block || last.target.block != copy.target.block) return false;
  const std::int64_t source_step = std::int64_t{copy.source.offset} - last.source.offset;
  const std::int64_t target_step = std::int64_t{copy.target.offset} - last.target.offset;
  if (last.count == 1 && copy.count == 1 && source_step == last.bytes && target_step == last.bytes) {
    last.bytes += copy.bytes;
    return true;
  }
  if (last.bytes != copy.bytes || copy.count != 1) return false;
  if (last.count == 1) {
    last.source_step = static_cast<std::int32_t>(source_step);
    last.target_step = static_cast<std::int32_t>(target_step);
  } else if (source_step != std::int64_t{last.source_step} * last.count ||
             target_step != std::int64_t{last.target_step} * last.count) {
    return false;
  }
  ++last.count;
  return true;
}

}  // namespace

LocalCopies group_copies(std::span<const std::vector<LocalCopy>> lists, const ir::Blocks& blocks, unsigned threads) {
  LocalCopies result;
  std::vector<const LocalCopy*> all;
  std::uint32_t tiles = 0;
  for (const std::vector<LocalCopy>& list : lists)
    for (const LocalCopy& copy : list) {
      if (copy.bytes == 0 || (copy.source == copy.target && copy.count == 1)) continue;
      all.push_back(&copy);
      tiles = std::max(tiles, blocks[copy.target.block].tile + 1);
    }
  if (all.empty()) return result;
  const ByTile by_tile(all.size(), tiles, threads, [&](std::size_t i) { return blocks[all[i]->target.block].tile; });
  std::vector<std::vector<LocalCopy>> grouped(tiles);
  const Parts parts{tiles, 64};
  parallel(threads, parts.count(), [&](std::size_t part) {
    for (std::size_t tile = parts.begin(part); tile < parts.end(part); ++tile)
      for (const std::uint32_t i : by_tile[static_cast<std::uint32_t>(tile)])
        if (grouped[tile].empty() || !absorb(grouped[tile].back(), *all[i])) grouped[tile].push_back(*all[i]);
  });
  for (std::uint32_t tile = 0; tile < tiles; ++tile)
    for (const LocalCopy& copy : grouped[tile]) {
      result.of_tile.add(tile, static_cast<std::uint32_t>(result.copies.size()));
      result.copies.push_back(copy);
    }
  return result;
}

}  // namespace tessera::compiler
