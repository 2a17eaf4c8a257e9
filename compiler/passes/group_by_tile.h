// Numbers of things, by tile; made on several threads.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "compiler/ir/block.h"
#include "compiler/parallel/parallel.h"

namespace tessera::compiler {

class ByTile {
 public:
  // Numbers below `count`, of which i is tile_of(i)'s, ascending in each tile; kNone: of no tile, and left out.
  template <class TileOf>
  ByTile(std::size_t count, std::uint32_t tiles, unsigned threads, const TileOf& tile_of) : begin_(tiles + 1) {
    using Entry = std::pair<std::uint32_t, std::uint32_t>;  // tile, number
    const Parts things{count, 65536}, ranges{tiles, 64};
    std::vector<std::vector<std::vector<Entry>>> rough(things.count());  // by part, then range of tiles
    parallel(threads, rough.size(), [&](std::size_t part) {
      rough[part].resize(ranges.count());
      for (std::size_t i = things.begin(part); i < things.end(part); ++i) {
        const std::uint32_t tile = tile_of(i);
        if (tile != ir::kNone) rough[part][tile / ranges.length].emplace_back(tile, static_cast<std::uint32_t>(i));
      }
    });
    std::vector<std::size_t> first(ranges.count() + 1);
    for (std::size_t range = 0; range < ranges.count(); ++range) {
      first[range + 1] = first[range];
      for (const auto& part : rough) first[range + 1] += part[range].size();
    }
    begin_[tiles] = first.back();
    numbers_.resize(first.back());
    parallel(threads, ranges.count(), [&](std::size_t range) {
      std::vector<std::size_t> at(ranges.length + 1);
      const auto tile_in_range = [&](const Entry& entry) { return entry.first - ranges.begin(range); };
      for (const auto& part : rough)
        for (const Entry& entry : part[range]) ++at[tile_in_range(entry) + 1];
      at[0] = first[range];
      for (std::size_t i = ranges.begin(range); i < ranges.end(range); ++i) {
        const std::size_t tile = i - ranges.begin(range);
        at[tile + 1] += at[tile];
        begin_[i] = at[tile];
      }
      for (const auto& part : rough)
        for (const Entry& entry : part[range]) numbers_[at[tile_in_range(entry)]++] = entry.second;
    });
  }

  std::span<const std::uint32_t> operator[](std::uint32_t tile) const {
    return std::span(numbers_).subspan(begin_[tile], begin_[tile + 1] - begin_[tile]);
  }
  // All numbers.
  std::vector<std::uint32_t> take() { return std::move(numbers_); }

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> begin_;
};

}  // namespace tessera::compiler
