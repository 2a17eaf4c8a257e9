// Which tiles are for I/O and which for compute: nothing runs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <gcl/TileAllocation.hpp>
#include <poputil/exceptions.hpp>
#include <set>

namespace {

using namespace poplar;
using Catch::Matchers::ContainsText;

TEST_CASE("I/O and compute tiles of every IPU are all its tiles") {
  const Graph graph(Target::createIPUTarget(2, "mk2-16"));
  const std::vector<unsigned> io = gcl::perIPUTiles(graph, 0, 3), compute = gcl::perIPUTiles(graph, 3, 13);
  CHECK(io.size() == 6);
  CHECK(std::is_sorted(io.begin(), io.end()));
  std::set<unsigned> all(io.begin(), io.end());
  all.insert(compute.begin(), compute.end());
  CHECK(all.size() == 32);
  CHECK(std::count_if(io.begin(), io.end(), [](unsigned tile) { return tile < 16; }) == 3);
  CHECK_THROWS_WITH(gcl::perIPUTiles(graph, 4, 13), ContainsText("an IPU has 16 tiles, and not 13 from number 4 on"));
  CHECK_THROWS_AS(gcl::perIPUTiles(graph, 17, 0), poputil::poplibs_error);
}

TEST_CASE("tiles that follow each other are of different exchange blocks") {
  const Graph graph(Target::createIPUTarget(1, "mk2-16"));
  const Target& target = graph.getTarget();
  const unsigned blocks = target.getTileHostExchangeXB(15) + 1;
  std::set<unsigned> used;
  for (const unsigned tile : gcl::perIPUTiles(graph, 0, blocks, false)) used.insert(target.getTileHostExchangeXB(tile));
  CHECK(used.size() == blocks);
  CHECK(gcl::getMinIoTiles(graph) == 2);
  CHECK(gcl::getMinIoTiles(Graph(Target::createIPUTarget(1, "mk2-4"))) == 1);  // it has one block
}

}  // namespace
