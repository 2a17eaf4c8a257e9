// Tile mappings against an array with one tile an element.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "compiler/graph/tile_map.h"

namespace {

using tessera::graph::TileInterval;
using tessera::graph::TileMap;

constexpr std::uint32_t kUnmapped = 99;

std::vector<std::uint32_t> spelled_out(const TileMap& map, std::size_t n) {
  std::vector<std::uint32_t> tiles(n, kUnmapped);
  for (const TileInterval& i : map.intervals()) {
    for (std::size_t e = i.begin; e < i.end; ++e) tiles[e] = i.tile;
  }
  return tiles;
}

}  // namespace

TEST_CASE("later assignments override earlier ones, in any order") {
  constexpr unsigned kFirstSeed = 7;
  for (unsigned seed = kFirstSeed; seed < kFirstSeed + 400; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const std::size_t n = 1 + random() % 60;
    std::vector<std::uint32_t> expected(n, kUnmapped);
    TileMap map;
    for (unsigned step = random() % 30; step > 0; --step) {
      const std::size_t begin = random() % n;
      const std::size_t end = begin + random() % (n - begin + 1);
      const std::uint32_t tile = random() % 5;
      map.assign(begin, end, tile);
      for (std::size_t e = begin; e < end; ++e) expected[e] = tile;
      if (random() % 4 == 0) REQUIRE(spelled_out(map, n) == expected);
    }
    REQUIRE(spelled_out(map, n) == expected);
    for (std::size_t i = 1; i < map.intervals().size(); ++i) {
      const TileInterval& before = map.intervals()[i - 1];
      const TileInterval& after = map.intervals()[i];
      REQUIRE(before.end <= after.begin);
      REQUIRE((before.end < after.begin || before.tile != after.tile));
    }
    for (std::size_t begin = 0; begin < n; ++begin) {
      bool covered = true;
      for (std::size_t end = begin; end <= n; ++end) {
        REQUIRE(map.covers(begin, end) == covered);
        if (end < n) covered = covered && expected[end] != kUnmapped;
      }
    }
  }
}

TEST_CASE("a million assignments in falling order take no quadratic time") {
  TileMap map;
  constexpr std::size_t kMany = 1000000;
  for (std::size_t i = kMany; i > 0; --i) map.assign(2 * i, 2 * i + 1, 1);
  CHECK(map.intervals().size() == kMany);
}
