#include "compiler/passes/local_copy.h"

#include <algorithm>
#include <cstdint>

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

LocalCopies group_copies(std::vector<LocalCopy> copies, const ir::Blocks& blocks) {
  const auto tile_of = [&](const LocalCopy& copy) { return blocks[copy.target.block].tile; };
  std::stable_sort(copies.begin(), copies.end(),
                   [&](const LocalCopy& a, const LocalCopy& b) { return tile_of(a) < tile_of(b); });
  LocalCopies result;
  for (const LocalCopy& copy : copies) {
    if (copy.bytes == 0 || (copy.source == copy.target && copy.count == 1)) continue;
    if (result.copies.empty() || tile_of(result.copies.back()) != tile_of(copy) || !absorb(result.copies.back(), copy))
      result.copies.push_back(copy);
  }
  result.of_tile = ir::TileIndex::of(result.copies.size(), [&](std::size_t i) { return tile_of(result.copies[i]); });
  return result;
}

}  // namespace tessera::compiler
