#include "compiler/passes/exchange/local_copy.h"

#include <algorithm>
#include <cstdint>

#include "compiler/passes/exchange/group_by_tile.h"

namespace tessera::compiler {
namespace {

// Makes `copy` part of `last` if it continues it.
bool absorb(LocalCopy& last, const LocalCopy& copy) {
  if (last.source.block != copy.source.block || last.target.block != copy.target.block) return false;
  if (last.source_lane != copy.source_lane || last.target_lane != copy.target_lane) return false;
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

constexpr std::size_t kWorthThreads = 4096;  // copies

}  // namespace

LocalCopies group_copies(std::span<const std::vector<LocalCopy>> lists, const ir::Blocks& blocks, std::uint32_t tiles,
                         unsigned threads) {
  LocalCopies result;
  std::vector<std::size_t> first(1);  // of each list
  for (const std::vector<LocalCopy>& list : lists) first.push_back(first.back() + list.size());
  if (first.back() == 0) return result;
  if (first.back() < kWorthThreads) threads = 1;
  std::vector<const LocalCopy*> all(first.back());
  parallel(threads, lists.size(), [&](std::size_t i) {
    for (std::size_t n = 0; n < lists[i].size(); ++n) all[first[i] + n] = &lists[i][n];
  });
  const ByTile by_tile(all.size(), tiles, threads, [&](std::size_t i) {
    const LocalCopy& copy = *all[i];
    const bool idle = copy.bytes == 0 || (copy.source == copy.target && copy.count == 1);
    return idle ? ir::kNone : blocks[copy.target.block].tile;
  });
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
