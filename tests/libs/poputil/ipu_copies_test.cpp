// Clones elsewhere: on an IPU (machines have one), in another virtual graph, without aliases.
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

using namespace poplar;
using Mapping = Graph::TileToTensorMapping;

namespace {

constexpr unsigned kTiles = 8;

struct OneIpu {
  Graph graph{Target::createIPUTarget(1, kTiles, "ipu2")};

  // Row r on tile r.
  Tensor rows(const std::vector<std::size_t>& shape) {
    const Tensor t = graph.addVariable(FLOAT, shape, "rows");
    for (unsigned r = 0; r < shape[0]; ++r) graph.setTileMapping(t[r], r);
    return t;
  }
  unsigned tile_of(const Tensor& element) {
    const Mapping mapping = graph.getTileMapping(element);
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      if (!mapping[tile].empty()) return tile;
    }
    return ~0U;
  }
};

}  // namespace

TEST_CASE_METHOD(OneIpu, "a clone on an IPU keeps the numbers of the tiles") {
  const Tensor t = rows({8, 3});
  const Tensor clone = poputil::cloneToIpu(graph, t, 0);
  CHECK(clone.shape() == t.shape());
  CHECK(!clone.intersectsWith(t));
  for (unsigned r = 0; r < 8; ++r) CHECK(tile_of(clone[r]) == r);
  CHECK_THROWS_WITH(poputil::cloneToIpu(graph, t, 1), Catch::Matchers::ContainsText("no IPU 1"));
}

TEST_CASE_METHOD(OneIpu, "a copy to an IPU copies every element once") {
  const Tensor half = rows({4, 3});
  const Tensor t = concat(half, half.slice(1, 3));  // two rows twice
  Tensor source;
  Tensor destination;
  const Tensor out = poputil::createIpuCopy(graph, t, 0, source, destination);
  CHECK(out.shape() == t.shape());
  CHECK(out.containsAliases());
  CHECK(source.numElements() == half.numElements());
  CHECK(!destination.containsAliases());
  CHECK(tile_of(out[5]) == 2);
  program::Sequence prog;
  const Tensor copied = poputil::copyToIpu(graph, t, prog, 0);
  CHECK(!copied.containsAliases());
  CHECK(!prog.isEmpty());
}

TEST_CASE_METHOD(OneIpu, "a clone in a virtual graph") {
  Graph low = graph.createVirtualGraph(0, 4);
  Graph high = graph.createVirtualGraph(5, 8);
  const Tensor t = low.addVariable(FLOAT, {4}, "t");
  for (unsigned i = 0; i < 3; ++i) low.setTileMapping(t[i], i);
  low.setTileMapping(t[3], 1);
  const Tensor clone = poputil::cloneToGraph(low, high, t);
  CHECK(tile_of(clone[0]) == 5);
  CHECK(tile_of(clone[2]) == 7);
  CHECK(tile_of(clone[3]) == 6);
  low.setTileMapping(t[3], 3);
  CHECK_THROWS_WITH(poputil::cloneToGraph(low, high, t),
                    Catch::Matchers::ContainsText("tile 3") && Catch::Matchers::ContainsText("3 tiles"));
}

TEST_CASE_METHOD(OneIpu, "a clone without aliases spreads what was there twice") {
  const Tensor base = rows({4, 64});
  const auto same = poputil::cloneAndExpandAliasing(graph, base, 3);
  CHECK(same.second == 3);
  CHECK(tile_of(same.first[2]) == 2);
  const Tensor t = base.slice(0, 1).broadcast(3, 0);
  const auto expanded = poputil::cloneAndExpandAliasing(graph, t, 3);
  CHECK(!expanded.first.containsAliases());
  CHECK(expanded.first.shape() == t.shape());
  CHECK(tile_of(expanded.first[0]) == 0);
  // 128 elements of 4 bytes: at least 32 a tile, from tile 3 on.
  CHECK(tile_of(expanded.first[1]) == 3);
  CHECK(expanded.second == (3 + 4) % kTiles);
}

TEST_CASE_METHOD(OneIpu, "dimensions are split over tiles and IPUs or not") {
  const Tensor t = rows({8, 3});
  CHECK(poputil::dimIsSplitOverTiles(graph, t, 0));
  CHECK(!poputil::dimIsSplitOverTiles(graph, t, 1));
  CHECK(!poputil::dimIsSplitOverIPUs(graph, t, 0));
  CHECK(!poputil::dimIsSplitOverTiles(graph, t.slice(0, 0), 0));
}
