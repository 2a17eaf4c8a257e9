// Graphs of several IPUs and of replicas, before anything is compiled.
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <tessera/replica_copies.hpp>

#include "sw/poplar/impl.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using detail::Access;

Target ipus(unsigned n) { return Target::createIPUTarget(n, "mk2-4"); }

TEST_CASE("tiles of several IPUs are numbered IPU by IPU") {
  Graph graph(ipus(2));
  const Tensor t = graph.addVariable(FLOAT, {2}, "t");
  graph.setTileMapping(t[0], 0);
  graph.setTileMapping(t[1], 7);
  CHECK(graph.getTileMapping(t).size() == 8);
  CHECK(graph.getTileMapping(t)[7] == std::vector<Interval>{{1, 2}});
  CHECK_THROWS_AS(graph.setTileMapping(t, 8), invalid_tile_mapping);
  CHECK(graph.convertPhysicalTileToVirtualTile(1, 2) == 6);
  CHECK_THROWS_AS(graph.convertPhysicalTileToVirtualTile(2, 0), invalid_tile_mapping);
}

TEST_CASE("a virtual graph is of one IPU, of whole IPUs, or of the same tiles of each") {
  Graph graph(ipus(4));
  const Graph second = graph.createVirtualGraph(4, 8);
  CHECK(second.getTarget().getNumIPUs() == 1);
  CHECK(second.getTarget().getTilesPerIPU() == 4);
  CHECK(second.convertVirtualTileToPhysicalTile(1) == 5);
  const Graph part = graph.createVirtualGraph(5, 7);
  CHECK(part.getTarget().getNumIPUs() == 1);
  CHECK(part.getTarget().getNumTiles() == 2);
  const Graph half = graph.createVirtualGraph(8, 16);
  CHECK(half.getTarget().getNumIPUs() == 2);
  CHECK(half.getTarget().getTilesPerIPU() == 4);
  const Graph first_two = graph.createVirtualGraph(2);
  CHECK(first_two.getTarget().getNumIPUs() == 4);
  CHECK(first_two.getTarget().getNumTiles() == 8);
  CHECK(first_two.convertVirtualTileToPhysicalTile(3) == 5);
  Graph some = graph.createVirtualGraph(std::vector<unsigned>{3, 1});
  CHECK(some.convertVirtualTileToPhysicalTile(2) == 7);
  const Graph of_some = some.createVirtualGraph(2, 4);
  CHECK(of_some.convertVirtualTileToPhysicalTile(1) == 5);
  CHECK_THROWS_WITH(graph.createVirtualGraph(2, 6),
                    "Tiles 2 to 5 for virtual graph are of several IPUs, of which it has not all 4 tiles");
  CHECK_THROWS_AS(graph.createVirtualGraph(8, 17), invalid_tile_mapping);
  CHECK_THROWS_WITH(graph.createVirtualGraph(std::vector<unsigned>{4}),
                    "Tile 4 of each IPU for virtual graph, but an IPU has 4 tiles");
  CHECK_THROWS_AS(graph.createVirtualGraph(3, 3), poplar_error);
}

TEST_CASE("a replicated graph is of the IPUs of one replica") {
  Graph graph(ipus(4), replication_factor(2));
  CHECK(graph.getReplicationFactor() == 2);
  CHECK(graph.getTarget().getNumIPUs() == 2);
  CHECK(graph.getTarget().getNumTiles() == 8);
  CHECK(graph.createVirtualGraph(4, 8).getReplicationFactor() == 2);
  CHECK(graph.getTopLevelGraph().getTarget().getNumTiles() == 8);
  CHECK(graph.addHostToDeviceFIFO("in", INT, 1).replicationFactor() == 2);
  CHECK(graph.addRemoteBuffer("b", INT, 1).getHostToIpuStream().replicationFactor() == 2);
  for (const unsigned r : {0, 3, 8})
    CHECK_THROWS_WITH(Graph(ipus(4), replication_factor(r)),
                      "Replication factor " + std::to_string(r) + " does not divide the 4 IPUs of the target");
}

TEST_CASE("the replica's number is a constant with a value for each replica") {
  Graph graph(ipus(4), replication_factor(4));
  const Tensor index = graph.addReplicationIndexConstant("index");
  CHECK(index.elementType() == UNSIGNED_INT);
  CHECK(index.containsConstant());
  const auto& variable = Access::graph(graph).variables.back();
  REQUIRE(variable.initial.size() == 1);
  REQUIRE(variable.initial[0].other_replicas.size() == 3);
  CHECK(variable.initial[0].bytes == std::vector<std::uint8_t>{0, 0, 0, 0});
  CHECK(variable.initial[0].other_replicas[2] == std::vector<std::uint8_t>{3, 0, 0, 0});
}

TEST_CASE("initial values by replica need one for each") {
  Graph graph(ipus(2), replication_factor(2));
  const Tensor t = graph.addVariable(SHORT, {2}, "t");
  graph.setInitialValue(t, std::map<unsigned, unsigned>{{0, 5}, {1, 258}});
  const auto& initial = Access::graph(graph).variables.back().initial;
  REQUIRE(initial.size() == 1);
  CHECK(initial[0].bytes == std::vector<std::uint8_t>{5, 0, 5, 0});
  CHECK(initial[0].other_replicas.at(0) == std::vector<std::uint8_t>{2, 1, 2, 1});
  using Map = std::map<unsigned, unsigned>;
  for (const Map& map : {Map{}, Map{{0, 1}}, Map{{0, 1}, {2, 1}}, Map{{0, 1}, {1, 1}, {2, 1}}})
    CHECK_THROWS_AS(graph.setInitialValue(t, map), graph_replication_error);
  CHECK_THROWS_AS(graph.setInitialValue(graph.addReplicationIndexConstant(), Map{{0, 1}, {1, 1}}), poplar_error);
}

TEST_CASE("a copy between replicas takes each replica to one") {
  Graph graph(ipus(4), replication_factor(4));
  const Tensor a = graph.addVariable(INT, {2}, "a"), b = graph.addVariable(INT, {2}, "b");
  using Map = std::map<unsigned, unsigned>;
  const CrossReplicaCopy ring(a, b, Map{{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  const auto* copy = std::get_if<tessera::graph::CrossReplicaCopy>(&Access::program(ring)->op);
  REQUIRE(copy != nullptr);
  CHECK(copy->parts.at(0).from == std::vector<std::uint32_t>{3, 0, 1, 2});  // of each replica
  for (const Map& map : {Map{{0, 1}}, Map{{0, 1}, {1, 1}, {2, 3}, {3, 0}}, Map{{0, 1}, {1, 2}, {2, 3}, {3, 4}}})
    CHECK_THROWS_WITH(CrossReplicaCopy(a, b, map),
                      "CrossReplicaCopy to variable 'b': the map takes each of the 4 replicas, from 0 on, to another "
                      "or itself, none twice");
}

TEST_CASE("copies between replicas have a tensor and a source for each replica") {
  Graph graph(ipus(4), replication_factor(4));
  const Tensor a = graph.addVariable(INT, {2}, "a"), b = graph.addVariable(INT, {2}, "b");
  const auto refused = [&](const std::vector<Tensor>& sources, const std::vector<unsigned>& from, const char* why) {
    CHECK_THROWS_WITH(tessera::ReplicaCopies({{sources, {b}, from}}), Catch::Matchers::ContainsText(why));
    CHECK_THROWS_AS(tessera::ReplicaCopies({{sources, {b}, from}}), graph_replication_error);
  };
  CHECK_NOTHROW(tessera::ReplicaCopies({{{a}, {b}, {1, 1, 1, 0}}}));
  refused({a}, {1, 0}, "to variable 'b': a source for 2; the graph has 4 replicas");
  refused({a}, {1, 0, 4, 2}, "from replica 4; the graph has 4");
  refused({a, a}, {1, 0, 3, 2}, "2 tensors; the graph has 4");
  refused({}, {1, 0, 3, 2}, "without a source");
  CHECK_THROWS_WITH(tessera::ReplicaCopies({}), Catch::Matchers::ContainsText("of nothing"));
}

}  // namespace
