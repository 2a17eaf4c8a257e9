// Tensors spread over tiles.
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <random>

using namespace poplar;
using Mapping = Graph::TileToTensorMapping;

namespace {

constexpr unsigned kTiles = 16;

struct Mapped {
  Graph graph{Target::createIPUTarget(1, kTiles, "ipu2")};
};

std::size_t size_on(const Mapping& mapping, unsigned tile) {
  std::size_t n = 0;
  for (const Interval& i : mapping[tile]) n += i.size();
  return n;
}

}  // namespace

TEST_CASE_METHOD(Mapped, "a linear mapping is in order, whole grains, nearly equal parts") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t n = random() % 3 == 0 ? random() % 20 : random() % 3000;
    const unsigned least = random() % 40;
    const unsigned grain = 1 + random() % 8;
    const unsigned offset = random() % (2 * kTiles);
    const bool ascending = random() % 2 == 0;
    CAPTURE(i, n, least, grain, offset, ascending);
    const Mapping mapping = poputil::calcLinearTileMapping(graph, {n}, least, grain, offset, ascending);
    REQUIRE(mapping.size() == kTiles);
    std::size_t at = 0;
    std::size_t smallest = n;
    std::size_t largest = 0;
    for (unsigned place = 0; place < kTiles; ++place) {
      const unsigned up = (offset + place) % kTiles;
      const auto& regions = mapping[ascending ? up : kTiles - 1 - up];
      if (at == n) {
        REQUIRE(regions.empty());
        continue;
      }
      REQUIRE(regions.size() == 1);
      REQUIRE(regions[0].begin() == at);
      at = regions[0].end();
      largest = std::max(largest, regions[0].size());
      if (at == n) continue;  // the last may be smaller
      smallest = std::min(smallest, regions[0].size());
      REQUIRE(regions[0].size() % grain == 0);
      REQUIRE(regions[0].size() >= least);
    }
    REQUIRE(at == n);
    if (smallest < n) REQUIRE(largest - smallest <= grain);
  }
}

TEST_CASE_METHOD(Mapped, "by default a tile has at least 128 bytes") {
  for (const Type& type : {FLOAT, HALF, INT, CHAR, BOOL}) {
    const std::size_t bytes = graph.getTarget().getTypeSize(type);
    for (const std::size_t n : {1, 31, 32, 33, 100, 1000, 10000}) {
      const Tensor t = graph.addVariable(type, {n}, "t");
      poputil::mapTensorLinearly(graph, t);
      const Mapping mapping = graph.getTileMapping(t);
      unsigned used = 0;
      for (unsigned tile = 0; tile < kTiles; ++tile) used += size_on(mapping, tile) != 0;
      CAPTURE(type, n);
      CHECK(used == std::max<std::size_t>(1, std::min<std::size_t>(kTiles, n * bytes / 128)));
    }
  }
}

TEST_CASE_METHOD(Mapped, "the next tensor begins where the last ended") {
  unsigned offset = 0;
  std::vector<std::size_t> load(kTiles);
  for (int i = 0; i < 8; ++i) {
    const Tensor t = graph.addVariable(FLOAT, {6 * 32}, "t");
    const auto mapped = poputil::calcLinearTileMappingAndNewOffset(graph, t, offset);
    CHECK(mapped.second == (offset + 6) % kTiles);
    for (unsigned tile = 0; tile < kTiles; ++tile) load[tile] += size_on(mapped.first, tile);
    offset = mapped.second;
  }
  CHECK(load == std::vector<std::size_t>(kTiles, 3 * 32));
}

TEST_CASE_METHOD(Mapped, "offsets follow from the shape") {
  CHECK(poputil::chooseMappingOffset(kTiles, {3, 4}) == poputil::chooseMappingOffset(kTiles, {3, 4}));
  std::vector<unsigned> hits(kTiles);
  for (std::size_t i = 1; i <= 40; ++i) {
    for (std::size_t j = 1; j <= 40; ++j) ++hits[poputil::chooseMappingOffset(kTiles, {i, j})];
  }
  for (const unsigned n : hits) CHECK(n > 25);  // 100 expected
  CHECK(poputil::chooseMappingOffset(1472, {3, 4}, 1) != poputil::chooseMappingOffset(1472, {3, 4}, 2));
  CHECK_THROWS_AS(poputil::chooseMappingOffset(0, {3, 4}), poputil::poplibs_error);
}

TEST_CASE_METHOD(Mapped, "imbalance is what the fullest tile has too much") {
  const Tensor t = graph.addVariable(FLOAT, {32}, "t");
  poputil::mapTensorLinearly(graph, t, 1, 1);
  CHECK(poputil::getTileImbalance(graph, t) == 0);
  graph.setTileMapping(t.slice(0, 10), 3);
  CHECK(poputil::getTileImbalance(graph, t) == 8);
  CHECK(poputil::getTileImbalance(graph, t, 4) == 6);
  CHECK(poputil::getTileImbalance(graph, t, 4, 16) == 0);
  graph.setTileMapping(t, 0);
  CHECK(poputil::getTileImbalance(graph, t) == 30);
}

TEST_CASE_METHOD(Mapped, "tiles are turned and turned back") {
  for (const bool ascending : {true, false}) {
    for (unsigned offset = 0; offset < kTiles; ++offset) {
      for (unsigned tile = 0; tile < kTiles; ++tile) {
        const unsigned place = poputil::transformTileIndex(tile, kTiles, offset, ascending);
        CHECK(place < kTiles);
        CHECK(poputil::invTransformTileIndex(place, kTiles, offset, ascending) == tile);
      }
    }
  }
  CHECK(poputil::transformTileIndex(5, kTiles, 3, true) == 2);
}
