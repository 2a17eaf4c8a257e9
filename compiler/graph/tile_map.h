// Which tile each element of a variable lives on: disjoint intervals in order of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::graph {

struct TileInterval {
  std::size_t begin;
  std::size_t end;
  std::uint32_t tile;
  bool operator==(const TileInterval&) const = default;
};

class TileMap {
 public:
  // Elements [begin, end) are on the tile from now on.
  void assign(std::size_t begin, std::size_t end, std::uint32_t tile);
  // Sorted, disjoint, neighbours of the same tile joined; elements in no interval are unmapped.
  const std::vector<TileInterval>& intervals() const;
  // Index in intervals() of the first one that ends after the element.
  std::size_t find(std::size_t element) const;
  // Whether all of [begin, end) is mapped.
  bool covers(std::size_t begin, std::size_t end) const;
  // Sorts in what was assigned; reading does so too. Only after this may several threads read at once.
  void settle() const;

 private:
  // Assignments out of order wait in pending_ and are sorted in together, so that n of them cost n log n.
  mutable std::vector<TileInterval> sorted_;
  mutable std::vector<TileInterval> pending_;
  mutable bool gapless_ = true;  // of sorted_
};

}  // namespace tessera::graph
