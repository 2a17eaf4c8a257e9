// Things of tiles, in plain vectors in which tiles that have nothing take no room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::ir {

// Where the things of each tile stand in a vector that is sorted by tile.
class TileIndex {
 public:
  struct Range {
    std::uint32_t first = 0, last = 0;
    bool empty() const { return first == last; }
    std::uint32_t size() const { return last - first; }
  };

  // Of `items` things, of which the i-th is tile_of(i)'s, in ascending order.
  template <class TileOf>
  static TileIndex of(std::size_t items, const TileOf& tile_of) {
    TileIndex index;
    for (std::size_t i = 0; i < items; ++i) index.add(tile_of(i), static_cast<std::uint32_t>(i));
    return index;
  }
  // The next thing is of `tile`, at least as high as those before.
  void add(std::uint32_t tile, std::uint32_t at) {
    if (tiles_.empty() || tiles_.back() != tile) {
      tiles_.push_back(tile);
      first_.push_back(at);
    }
    end_ = at + 1;
  }

  Range operator[](std::uint32_t tile) const {
    const auto found = std::lower_bound(tiles_.begin(), tiles_.end(), tile);
    if (found == tiles_.end() || *found != tile) return {};
    return range(static_cast<std::size_t>(found - tiles_.begin()));
  }
  // Tiles that have something, ascending.
  const std::vector<std::uint32_t>& tiles() const { return tiles_; }
  Range range(std::size_t i) const {
    return {first_[i], i + 1 < first_.size() ? first_[i + 1] : end_};
  }  // of tiles()[i]

 private:
  std::vector<std::uint32_t> tiles_, first_;
  std::uint32_t end_ = 0;
};

// One thing each of some tiles.
template <class Thing>
class PerTile {
 public:
  // Tiles come in ascending order.
  void add(std::uint32_t tile, Thing thing) { things_.emplace_back(tile, std::move(thing)); }
  const Thing* find(std::uint32_t tile) const {
    const auto found = std::lower_bound(things_.begin(), things_.end(), tile,
                                        [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
    return found == things_.end() || found->first != tile ? nullptr : &found->second;
  }
  bool empty() const { return things_.empty(); }
  auto begin() const { return things_.begin(); }
  auto end() const { return things_.end(); }

 private:
  std::vector<std::pair<std::uint32_t, Thing>> things_;
};

}  // namespace tessera::ir
