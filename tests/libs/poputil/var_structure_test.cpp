// How elements lie in memory.
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/exceptions.hpp>
#include <random>

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

struct Memory {
  Graph graph{Target::createIPUTarget(1, 4, "ipu2")};

  Tensor on_tile_0(const Shape& shape) {
    const Tensor t = graph.addVariable(FLOAT, shape, "t");
    graph.setTileMapping(t, 0);
    return t;
  }
};

}  // namespace

TEST_CASE_METHOD(Memory, "parts of a partitionable tensor are contiguous") {
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    Shape shape;
    Shape parts;
    for (unsigned d = random() % 4; d-- > 0;) {
      shape.push_back(random() % 8 == 0 ? 0 : 1 + random() % 7);
      parts.push_back(1 + random() % 5);
    }
    CAPTURE(shape, parts);
    const Tensor t = poputil::createPartitionableTensor(graph, HALF, shape, parts);
    REQUIRE(t.shape() == shape);
    REQUIRE(t.elementType() == HALF);
    REQUIRE(!t.containsAliases());
    std::size_t seen = 0;
    std::size_t calls = 0;
    poputil::iterateTensorPartitions(t, parts, [&](const Shape& at, const Tensor& part) {
      ++calls;
      seen += part.numElements();
      REQUIRE(at.size() == shape.size());
      for (unsigned d = 0; d < at.size(); ++d) {
        const std::size_t most = (shape[d] + parts[d] - 1) / parts[d];
        REQUIRE(part.dim(d) == std::min(most, shape[d] - std::min(shape[d], at[d] * most)));
      }
      REQUIRE((part.numElements() == 0 || part.isContiguous()));
    });
    std::size_t all = 1;
    for (const std::size_t p : parts) all *= p;
    REQUIRE(calls == all);
    REQUIRE(seen == t.numElements());
  }
  CHECK_THROWS_AS(poputil::createPartitionableTensor(graph, HALF, {2, 2}, {2}), poputil::poplibs_error);
  CHECK_THROWS_AS(poputil::createPartitionableTensor(graph, HALF, {2}, {0}), poputil::poplibs_error);
}

TEST_CASE_METHOD(Memory, "the first dimension of the parts changes fastest") {
  std::vector<Shape> order;
  poputil::iterateTensorPartitions(on_tile_0({4, 4}), {2, 2},
                                   [&](const Shape& at, const Tensor&) { order.push_back(at); });
  CHECK(order == std::vector<Shape>{{0, 0}, {1, 0}, {0, 1}, {1, 1}});
}

TEST_CASE_METHOD(Memory, "groups of the innermost dimension") {
  using poputil::detectInnermostGrouping;
  CHECK(detectInnermostGrouping(graph, on_tile_0({3, 8})) == 8);
  // [group][row][in group] seen as [row][channel].
  const Tensor grouped = on_tile_0({2, 3, 4}).dimShuffle({1, 0, 2}).reshape({3, 8});
  CHECK(detectInnermostGrouping(graph, grouped) == 4);
  CHECK(detectInnermostGrouping(graph, grouped.transpose()) == 1);
  // Contiguous, and cut by tiles.
  const Tensor cut = on_tile_0({8});
  graph.setTileMapping(cut.slice(2, 4), 1);
  graph.setTileMapping(cut.slice(6, 8), 2);
  CHECK(detectInnermostGrouping(graph, cut) == 2);
  CHECK(detectInnermostGrouping(graph, on_tile_0({0})) == 1);
  CHECK_THROWS_AS(detectInnermostGrouping(graph, on_tile_0({})), poputil::poplibs_error);
}

TEST_CASE_METHOD(Memory, "groups of all dimensions, the innermost first") {
  using Groups = std::vector<poputil::GroupingInfo>;
  // [a][b][a in 2][b in 4] seen as [a][b]
  const Tensor t = on_tile_0({3, 5, 2, 4}).dimShuffle({0, 2, 1, 3}).reshape({6, 20});
  const Groups groups = poputil::detectDimGroupings(graph, t);
  REQUIRE(groups.size() >= 2);
  CHECK(groups[0] == poputil::GroupingInfo(1, 4));
  CHECK(groups[1] == poputil::GroupingInfo(0, 2));
  CHECK(poputil::detectDimGroupings(graph, on_tile_0({7})) == Groups{{0, 7}});
  CHECK_THROWS_AS(poputil::detectDimGroupings(graph, on_tile_0({})), poputil::poplibs_error);
}
