// Mappings from uses, and operands that are broadcast.
#include <algorithm>
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <random>
#include <set>

using namespace poplar;
using poputil::TensorUseTracker;
using Mapping = Graph::TileToTensorMapping;
using Method = TensorUseTracker::MappingMethod;

namespace {

constexpr unsigned kTiles = 8;

struct Uses {
  Graph graph{Target::createIPUTarget(1, kTiles, "ipu2")};

  std::vector<unsigned> tiles(const Tensor& t) {
    std::vector<unsigned> out(t.numElements(), ~0U);
    const Mapping mapping = graph.getTileMapping(t, false);
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& i : mapping[tile]) {
        for (std::size_t e = i.begin(); e < i.end(); ++e) out[e] = tile;
      }
    }
    return out;
  }
};

using Tiles = std::vector<unsigned>;

}  // namespace

TEST_CASE_METHOD(Uses, "what one tile uses lives there, what several use is shared among them") {
  const Tensor t = graph.addVariable(FLOAT, {12}, "t");
  TensorUseTracker uses(kTiles);
  CHECK(uses.empty());
  uses.add(graph, 2, t.slice(0, 8));
  uses.add(graph, 5, t.slice(4, 12));
  CHECK(!uses.empty());
  uses.mapTensorsByUse(graph, 1, 0);
  CHECK(tiles(t) == Tiles{2, 2, 2, 2, 2, 2, 5, 5, 5, 5, 5, 5});
}

TEST_CASE_METHOD(Uses, "a halo goes to one side") {
  const Tensor t = graph.addVariable(FLOAT, {12}, "t");
  TensorUseTracker uses(kTiles);
  uses.add(graph, 2, t.slice(0, 8));
  uses.add(graph, 5, t.slice(4, 12));
  uses.mapTensorsByUse(graph, 1, 0, false, Method::OptimizeHaloRegions);
  CHECK(tiles(t) == Tiles{2, 2, 2, 2, 2, 2, 2, 2, 5, 5, 5, 5});
}

TEST_CASE_METHOD(Uses, "grains are whole unless the mapping is constrained to users") {
  const Tensor t = graph.addVariable(FLOAT, {10}, "t");
  TensorUseTracker uses(kTiles);
  uses.add(graph, 1, t.slice(0, 5));
  uses.add(graph, 3, t.slice(5, 10));
  TensorUseTracker constrained(uses);
  uses.mapTensorsByUse(graph, 4, 0);
  // The grain [4,8) has both users, and is the lower one's.
  CHECK(tiles(t) == Tiles{1, 1, 1, 1, 1, 1, 1, 1, 3, 3});
  constrained.mapTensorsByUse(graph, 4, 0, false, Method::ConstrainMappingToUsedTiles);
  CHECK(tiles(t) == Tiles{1, 1, 1, 1, 1, 3, 3, 3, 3, 3});
}

TEST_CASE_METHOD(Uses, "elements that nobody uses are left, or follow their neighbours") {
  const Tensor t = graph.addVariable(FLOAT, {9}, "t");
  TensorUseTracker uses(kTiles);
  uses.add(graph, 1, t.slice(1, 3));
  uses.add(graph, 3, t.slice(5, 7));
  TensorUseTracker extended(uses);
  uses.mapTensorsByUse(graph, 1, 0);
  CHECK(tiles(t) == Tiles{~0U, 1, 1, ~0U, ~0U, 3, 3, ~0U, ~0U});
  extended.mapTensorsByUse(graph, 1, 0, true);
  CHECK(tiles(t) == Tiles{1, 1, 1, 1, 1, 3, 3, 3, 3});
}

TEST_CASE_METHOD(Uses, "the least on a tile holds") {
  const Tensor t = graph.addVariable(FLOAT, {12}, "t");
  TensorUseTracker uses(kTiles);
  for (unsigned tile = 0; tile < 6; ++tile) uses.add(graph, tile, t);
  uses.mapTensorsByUse(graph, 1, 5);
  CHECK(tiles(t) == Tiles{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
}

TEST_CASE_METHOD(Uses, "trackers add up, turn, and refuse what does not fit") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "t");
  const Tensor constant = graph.addConstant(FLOAT, {4}, 1.0f, "constant");
  TensorUseTracker uses(kTiles, 3);
  TensorUseTracker other(kTiles);
  other.add(graph, 2, t.slice(2, 4));
  other.add(graph, 2, constant);  // constants are not mapped by use
  uses.add(graph, 1, t.slice(0, 2));
  uses.add(other);
  uses.mapTensorsByUse(graph, 1, 0);
  CHECK(tiles(t) == Tiles{4, 4, 5, 5});
  CHECK(tiles(constant) == Tiles(4, ~0U));
  CHECK_THROWS_AS(uses.add(TensorUseTracker(kTiles + 1)), poputil::poplibs_error);
  CHECK_THROWS_WITH(uses.add(graph, kTiles, t), Catch::Matchers::ContainsText("tile 8 of 8"));
  CHECK_THROWS_AS(uses.mapTensorsByUse(graph, 0, 0), poputil::poplibs_error);
}

TEST_CASE_METHOD(Uses, "every element that is used gets a tile, one of its users where that is asked for") {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t n = 1 + random() % 60;
    const Tensor t = graph.addVariable(FLOAT, {n}, "t");
    std::vector<std::vector<bool>> used(n, std::vector<bool>(kTiles));
    TensorUseTracker uses(kTiles);
    for (unsigned k = 1 + random() % 6; k-- > 0;) {
      const std::size_t begin = random() % n;
      const std::size_t end = begin + 1 + random() % (n - begin);
      const unsigned tile = random() % kTiles;
      uses.add(graph, tile, t.slice(begin, end));
      for (std::size_t e = begin; e < end; ++e) used[e][tile] = true;
    }
    const Method method = static_cast<Method>(random() % 3);
    const unsigned grain = 1 + random() % 4;
    uses.mapTensorsByUse(graph, grain, random() % 8, random() % 2 == 0, method);
    const Tiles mapped = tiles(t);
    CAPTURE(i, n, grain, static_cast<int>(method), mapped);
    for (std::size_t e = 0; e < n; ++e) {
      const bool any = std::find(used[e].begin(), used[e].end(), true) != used[e].end();
      if (any) REQUIRE(mapped[e] < kTiles);
      if (any && grain == 1 && method != Method::ConstrainMappingToUsedTiles) REQUIRE(used[e][mapped[e]]);
    }
  }
}

TEST_CASE_METHOD(Uses, "an operand to broadcast lives beside what it meets") {
  const Tensor full = graph.addVariable(FLOAT, {6, 16}, "full");
  for (unsigned c = 0; c < 16; ++c) graph.setTileMapping(full.slice(c, c + 1, 1), c / 4);  // columns
  const Tensor bias = poputil::createBroadcastOperand(graph, full, FLOAT, 1);
  CHECK(bias.shape() == std::vector<std::size_t>{16});
  CHECK(tiles(bias) == Tiles{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
  // Met on every tile: shared among them.
  graph.setTileMapping(full, 0);
  for (unsigned r = 0; r < 6; ++r) graph.setTileMapping(full[r], r);
  const Tiles shared = tiles(poputil::createBroadcastOperand(graph, full, FLOAT, 1));
  CHECK(std::count(shared.begin(), shared.end(), ~0U) == 0);
  CHECK(std::set<unsigned>(shared.begin(), shared.end()).size() > 3);
  const Tensor dithered = poputil::createBroadcastOperand(graph, full, FLOAT, 1, true);
  const std::size_t turn = poputil::chooseMappingOffset(kTiles, {6, 16});
  Tiles turned;
  for (const unsigned tile : shared) turned.push_back(static_cast<unsigned>((tile + turn) % kTiles));
  CHECK(tiles(dithered) == turned);
  CHECK_THROWS_WITH(poputil::createBroadcastOperand(graph, full, FLOAT, 2),
                    Catch::Matchers::ContainsText("'full'") && Catch::Matchers::ContainsText("dimension 2"));
}
