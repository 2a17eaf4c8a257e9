// Sharing out work among the six workers of a tile: vertices, and copies inside the tile.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>

#include "compiler/passes/control/copy_routine.h"
#include "compiler/passes/vertices/assign_workers.h"
#include "tests/compiler/graph_builder.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

// Vertices of given costs, all on tile 0.
struct Costs {
  std::vector<ir::Vertex> vertices;

  Costs(const std::vector<std::uint32_t>& costs, graph::CodeletKind kind = graph::CodeletKind::kVertex) {
    for (const std::uint32_t cost : costs) vertices.push_back({.kind = kind, .cost = cost});
    assign_workers(vertices);
  }
  std::array<std::uint32_t, 8> loads() const {
    std::array<std::uint32_t, 8> loads{};
    for (const ir::Vertex& v : vertices) loads[v.worker] += v.cost;
    return loads;
  }
};

// Which target word gets which source word.
std::map<std::uint32_t, std::uint32_t> effect(const std::vector<std::vector<LocalCopy>>& lists) {
  std::map<std::uint32_t, std::uint32_t> words;
  for (const auto& list : lists)
    for (const LocalCopy& c : list)
      for (std::uint32_t run = 0; run < c.count; ++run)
        for (std::uint32_t b = 0; b < c.bytes; ++b) {
          const std::uint32_t target = c.target.offset + run * c.target_step + b;
          REQUIRE(words.emplace(target, c.source.offset + run * c.source_step + b).second);
        }
  return words;
}

}  // namespace

TEST_CASE("equal vertices are spread evenly, a dear one has a worker to itself") {
  CHECK(Costs(std::vector<std::uint32_t>(12, 50)).loads() ==
        std::array<std::uint32_t, 8>{100, 100, 100, 100, 100, 100});
  const auto loads = Costs({1000, 90, 90, 90, 90, 90, 90, 90, 90, 90, 90}).loads();
  CHECK(*std::max_element(loads.begin(), loads.end()) == 1000);
  CHECK(std::count(loads.begin(), loads.end(), 180u) == 5);
}

TEST_CASE("a MultiVertex goes to all workers, a supervisor vertex to the supervisor") {
  CHECK(Costs({10}, graph::CodeletKind::kMultiVertex).vertices[0].worker == ir::kAllWorkers);
  CHECK(Costs({10}, graph::CodeletKind::kSupervisor).vertices[0].worker == ir::kSupervisorWorker);
}

TEST_CASE("split copies make the same copy, each byte once, in about equal shares") {
  const std::vector<LocalCopy> large{{{0, 0}, {1, 4096}, 24000, 1, 0, 0}};
  const std::vector<LocalCopy> strided{{{0, 8}, {1, 0}, 4, 900, 40, 8}};
  const std::vector<LocalCopy> mixed{
      {{0, 1}, {1, 3}, 333, 1, 0, 0}, {{0, 400}, {1, 500}, 8, 30, 8, 16}, {{0, 2000}, {1, 2000}, 1000, 1, 0, 0}};
  for (const std::vector<LocalCopy>& copies : {large, strided, mixed}) {
    const auto lists = split_among_workers(copies.data(), copies.data() + copies.size());
    REQUIRE(lists.size() == 6);
    CHECK(effect(lists) == effect({copies}));
  }
  const auto lists = split_among_workers(large.data(), large.data() + 1);
  for (const auto& list : lists) {
    std::uint32_t bytes = 0;
    for (const LocalCopy& c : list) bytes += c.bytes;
    CHECK(bytes > 24000 / 6 - 400);
    CHECK(bytes < 24000 / 6 + 400);
  }
}
