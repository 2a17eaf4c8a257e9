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
    const Parts things{count, 65536};
    // By part and tile: how many numbers there are; then where the next of them goes.
    std::vector<std::size_t> at(things.count() * tiles);
    parallel(threads, things.count(), [&](std::size_t part) {
      for (std::size_t i = things.begin(part); i < things.end(part); ++i)
        if (const std::uint32_t tile = tile_of(i); tile != ir::kNone) ++at[part * tiles + tile];
    });
    std::size_t all = 0;
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      begin_[tile] = all;
      for (std::size_t part = 0; part < things.count(); ++part) all += std::exchange(at[part * tiles + tile], all);
    }
    begin_[tiles] = all;
    numbers_.resize(all);
    parallel(threads, things.count(), [&](std::size_t part) {
      for (std::size_t i = things.begin(part); i < things.end(part); ++i)
        if (const std::uint32_t tile = tile_of(i); tile != ir::kNone)
          numbers_[at[part * tiles + tile]++] = static_cast<std::uint32_t>(i);
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
