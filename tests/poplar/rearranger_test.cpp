// Orders of memory: rearrangers, regions with aliases, the part that a tensor repeats; tiles by number.
#include <catch2/catch.hpp>
#include <chrono>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using Catch::Matchers::ContainsText;

namespace {

// Which element of which variable stands at each position.
std::vector<std::pair<unsigned, std::size_t>> elements(const Tensor& t) {
  std::vector<std::pair<unsigned, std::size_t>> out;
  for (const VariableInterval& run : t.getVarRegions())
    for (std::size_t i = run.interval.begin(); i < run.interval.end(); ++i) out.emplace_back(run.var.getId(), i);
  return out;
}

std::vector<std::size_t> positions(const std::vector<Interval>& intervals) {
  std::vector<std::size_t> out;
  for (const Interval& interval : intervals)
    for (std::size_t i = interval.begin(); i < interval.end(); ++i) out.push_back(i);
  return out;
}

}  // namespace

TEST_CASE_METHOD(GraphFixture, "a rearranger puts elements in the order of memory, and back") {
  const Tensor a = graph.addVariable(FLOAT, {2, 3}, "a"), b = graph.addVariable(FLOAT, {4}, "b");
  const Tensor mixed = concat(b.reverse(0).slice(1, 3), a.transpose().flatten());
  const TensorRearranger by = graph.getSimplifyingRearranger(mixed);
  CHECK(by.valid());
  const Tensor sorted = by.rearrange(mixed);
  CHECK(elements(sorted) == elements(concat(a.flatten(), b.slice(1, 3))));
  CHECK(elements(by.undoRearrangement(sorted)) == elements(mixed));
  // Another tensor goes the same way.
  const Tensor other = graph.addVariable(INT, {8}, "other");
  const std::vector<std::pair<unsigned, std::size_t>> before = elements(other), after = elements(by.rearrange(other));
  const auto from = elements(mixed), to = elements(sorted);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 8; ++k) CHECK((from[i] == to[k]) == (before[i] == after[k]));
  CHECK_THROWS_WITH(by.rearrange(b), ContainsText("variable 'b'") && ContainsText("4 elements") && ContainsText("8"));
  CHECK_FALSE(TensorRearranger().valid());
  CHECK_THROWS_AS(TensorRearranger().rearrange(b), poplar_error);
}

TEST_CASE_METHOD(GraphFixture, "a rearranger says where intervals go") {
  const Tensor a = graph.addVariable(FLOAT, {3, 4}, "a");
  const Tensor t = a.transpose();
  const TensorRearranger by = graph.getSimplifyingRearranger(t);
  const auto before = elements(t.flatten()), after = elements(by.rearrange(t));
  for (const std::vector<Interval>& asked : {std::vector<Interval>{{0, 12}}, {{2, 7}}, {{9, 11}, {1, 2}}, {{4, 4}}}) {
    const std::vector<std::size_t> here = positions(asked), there = positions(by.rearrange(asked));
    REQUIRE(here.size() == there.size());
    for (std::size_t i = 0; i < here.size(); ++i) CHECK(before[here[i]] == after[there[i]]);
    CHECK(positions(by.undoRearrangement(by.rearrange(asked))) == here);
  }
  CHECK_THROWS_AS(by.rearrange(std::vector<Interval>{{10, 13}}), index_error);
}

TEST_CASE_METHOD(GraphFixture, "regions say where their elements stand for the first time") {
  const Tensor a = graph.addVariable(FLOAT, {6}, "a"), b = graph.addVariable(FLOAT, {2}, "b");
  // Flattened: a[0..4), b, a[2..6), a[1..3)
  const Tensor t = concat({a.slice(0, 4), b, a.slice(2, 6), a.slice(1, 3)});
  const auto all = elements(t);
  for (const bool remove : {false, true}) {
    std::vector<std::size_t> aliases = {99};
    const auto groups = graph.getSortedContiguousRegions(t, {{0, 12}}, remove, &aliases);
    std::size_t i = 0, seen = 0;
    for (const auto& group : groups)
      for (const Interval& region : group) {
        REQUIRE(i < aliases.size());
        for (std::size_t k = 0; k < region.size(); ++k) {
          const auto first = std::find(all.begin(), all.end(), all[region.begin() + k]) - all.begin();
          CHECK(aliases[i] + k == static_cast<std::size_t>(first));
        }
        seen += region.size();
        ++i;
      }
    CHECK(i == aliases.size());
    CHECK(seen == (remove ? 8 : 12));
  }
  std::vector<std::size_t> aliases;
  CHECK(graph.getSortedContiguousRegions(a, {{0, 6}}, false, &aliases).size() == 1);
  CHECK(aliases == std::vector<std::size_t>{0});
}

TEST_CASE_METHOD(GraphFixture, "the part that repeats is found along every dimension") {
  const Tensor a = graph.addVariable(FLOAT, {2, 3}, "a");
  const auto found = [&](const Tensor& t) { return graph.findUnbroadcastTensor(t); };
  CHECK(found(a) == a);
  CHECK(found(a.broadcast(4, 0)) == a);
  CHECK(found(a.broadcast(4, 0).broadcast(2, 1)) == a);
  CHECK(found(a.expand({1}).broadcast(5, 1)) == a.expand({1}));
  CHECK(found(a.slice(0, 1).broadcast(6, 0).slice(1, 6)) == a.slice(0, 1));
  CHECK(found(concat(a, a.slice(0, 1))) == concat(a, a.slice(0, 1)));  // three rows, two of them the same: no broadcast
  CHECK(found(concat(a, a.reverse(0))) == concat(a, a.reverse(0)));
  CHECK(found(a[0][0]) == a[0][0]);
}

TEST_CASE_METHOD(GraphFixture, "tiles of a virtual graph and of the device by number") {
  const Graph some = graph.createVirtualGraph(std::vector<unsigned>{5, 2, 9});
  for (const unsigned tile : {0u, 1u, 2u})
    CHECK(some.convertPhysicalTileToVirtualTile(some.convertVirtualTileToPhysicalTile(tile)) == tile);
  CHECK(some.convertPhysicalTileToVirtualTile(9) == 2);
  CHECK(some.convertPhysicalTileToVirtualTile(0, 2) == 1);
  CHECK(some.convertTopLevelGraphTileToTile(5) == 0);
  CHECK(graph.convertPhysicalTileToVirtualTile(15) == 15);
  CHECK_THROWS_WITH(some.convertPhysicalTileToVirtualTile(3),
                    ContainsText("Physical tile 3 is not in the virtual graph"));
  CHECK_THROWS_AS(graph.convertPhysicalTileToVirtualTile(16), invalid_tile_mapping);
  CHECK_THROWS_WITH(graph.convertPhysicalTileToVirtualTile(1, 0), ContainsText("IPU 1"));
}

TEST_CASE("what the compiler says goes to the stream that is given") {
  Graph graph(Target::createIPUTarget(1, 4, "ipu2"));
  std::ostringstream said;
  std::stringstream bad("#error \"this cannot be\"\n");
  CHECK_THROWS_AS(graph.addCodelets(bad, "", said), graph_program_compilation_error);
  CHECK_THAT(said.str(), ContainsText("this cannot be"));
  said.str("");
  // The time makes the source one that no cache has.
  std::stringstream warns("// " + std::to_string(std::chrono::system_clock::now().time_since_epoch().count()) + R"(
#include <poplar/Vertex.hpp>
#warning "mind the gap"
class Warns : public poplar::Vertex {
 public:
  poplar::Output<int> out;
  void compute() { *out = 1; }
};
)");
  CHECK(graph.addCodelets(warns, "", said));
  CHECK_THAT(said.str(), ContainsText("mind the gap"));
  CHECK(graph.hasCodelet("Warns"));
}
