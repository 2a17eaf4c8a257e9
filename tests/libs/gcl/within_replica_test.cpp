// Collectives between the IPUs of a replica against the same on the host.
#include <algorithm>
#include <gcl/Collectives.hpp>
#include <poplar/exceptions.hpp>
#include <poputil/exceptions.hpp>

#include "tests/libs/gcl/on_replicas.h"

namespace {

using namespace gcl_test;
using Catch::Matchers::ContainsText;
using gcl::CollectiveOperator;

constexpr unsigned kTiles = 4;  // of an IPU

// Row i on IPU i, values[r][i][e] = 1000 r + 100 i + e % 100.
struct Rows {
  Rows(unsigned replicas, unsigned ipus, std::size_t elements) : on(replicas, ipus) {
    std::vector<int> values;
    for (unsigned r = 0; r < replicas; ++r)
      for (unsigned i = 0; i < ipus; ++i)
        for (std::size_t e = 0; e < elements; ++e) values.push_back(static_cast<int>(1000 * r + 100 * i + e % 100));
    rows = on.input({ipus, elements}, values);
    for (unsigned i = 0; i < ipus; ++i) map_on(i, rows[i]);
  }
  void map_on(unsigned ipu, const Tensor& t) {
    const std::size_t each = (t.numElements() + kTiles - 1) / kTiles;
    for (unsigned tile = 0; tile < kTiles; ++tile)
      on.graph.setTileMapping(
          t.slice(std::min(tile * each, t.numElements()), std::min((tile + 1) * each, t.numElements())),
          ipu * kTiles + tile);
  }
  // IPUs with elements of t.
  std::vector<unsigned> ipus_of(const Tensor& t) const {
    const auto mapping = on.graph.getTileMapping(t);
    std::vector<unsigned> ipus;
    for (unsigned tile = 0; tile < mapping.size(); ++tile)
      if (!mapping[tile].empty() && (ipus.empty() || ipus.back() != tile / kTiles)) ipus.push_back(tile / kTiles);
    return ipus;
  }

  OnReplicas<int> on;
  Tensor rows;
};

int sum_of(unsigned replica, unsigned ipus, std::size_t e) {
  return static_cast<int>(ipus * (1000 * replica + e % 100) + 100 * ipus * (ipus - 1) / 2);
}

TEST_CASE("every IPU has the rows of all, brought together") {
  const auto [replicas, ipus] = GENERATE(table<unsigned, unsigned>({{1, 1}, {1, 2}, {1, 4}, {2, 2}}));
  const std::size_t elements = GENERATE(1u, 37u, 2501u);
  const std::string method = GENERATE("auto", "broadcast");
  CAPTURE(replicas, ipus, elements, method);
  Rows r(replicas, ipus, elements);
  Sequence prog;
  const Tensor out =
      gcl::allReduceWithinReplica(r.on.graph, r.rows, CollectiveOperator::ADD, prog, "sum", {{"method", method}});
  REQUIRE(out.shape() == r.rows.shape());
  for (unsigned i = 0; i < ipus; ++i) CHECK(r.ipus_of(out[i]) == std::vector<unsigned>{i});
  const std::vector<int> got = r.on.result(out, prog);
  bool equal = true;
  for (std::size_t k = 0; k < got.size(); ++k)
    equal = equal && got[k] == sum_of(static_cast<unsigned>(k / (ipus * elements)), ipus, k % elements);
  CHECK(equal);
}

TEST_CASE("each IPU gets its chunk, and gathers those of all") {
  const auto elements = GENERATE(1u, 30u, 2501u);
  CAPTURE(elements);
  constexpr unsigned kIpus = 4;
  Rows r(1, kIpus, elements);
  Sequence prog;
  const gcl::Chunks chunks =
      gcl::reduceScatterWithinReplica(r.on.graph, r.rows, CollectiveOperator::MAX, prog, "parts");
  REQUIRE(chunks.chunks.size() == kIpus);
  CHECK(chunks.originalInput == r.rows);
  const std::size_t each = (elements + kIpus - 1) / kIpus;
  for (unsigned i = 0; i < kIpus; ++i) {
    CHECK(chunks.chunks[i].index == i);
    CHECK(chunks.chunks[i].offset == 0);
    CHECK(chunks.chunks[i].tensor.numElements() ==
          std::min<std::size_t>((i + 1) * each, elements) - std::min<std::size_t>(i * each, elements));
    if (chunks.chunks[i].tensor.numElements() > 0)
      CHECK(r.ipus_of(chunks.chunks[i].tensor) == std::vector<unsigned>{i});
  }
  const Tensor all = gcl::allGatherWithinReplica(r.on.graph, chunks, prog, "all");
  REQUIRE(all.shape() == std::vector<std::size_t>{kIpus, elements});
  for (unsigned i = 0; i < kIpus; ++i) CHECK(r.ipus_of(all[i]) == std::vector<unsigned>{i});
  const std::vector<int> got = r.on.result(all, prog);
  bool equal = true;
  for (std::size_t k = 0; k < got.size(); ++k)
    equal = equal && got[k] == static_cast<int>(100 * (kIpus - 1) + k % elements % 100);
  CHECK(equal);
}

TEST_CASE("chunks are gathered by their index and offset") {
  Rows r(1, 2, 10);
  gcl::Chunks chunks(3);
  chunks.chunks[0] = gcl::Chunk(r.rows[1].slice(0, 3), 1, 0);
  chunks.chunks[1] = gcl::Chunk(r.rows[0].slice(4, 6), 0, 1);
  chunks.chunks[2] = gcl::Chunk(r.rows[0].slice(0, 1), 0, 0);
  Sequence prog;
  const Tensor all = gcl::allGatherWithinReplica(r.on.graph, chunks, prog);
  for (unsigned i = 0; i < 2; ++i) CHECK(r.ipus_of(all[i]) == std::vector<unsigned>{i});
  CHECK(r.on.result(all, prog) == std::vector<int>{0, 4, 5, 100, 101, 102, 0, 4, 5, 100, 101, 102});
}

TEST_CASE("what is not of a replica's IPUs is refused") {
  Rows r(1, 2, 4);
  Sequence prog;
  CHECK_THROWS_WITH(gcl::allReduceWithinReplica(r.on.graph, r.rows[0], CollectiveOperator::ADD, prog),
                    "allReduceWithinReplica: toReduce of shape {4} has no row for each of 2 IPUs");
  CHECK_THROWS_WITH(gcl::reduceScatterWithinReplica(r.on.graph, r.rows, CollectiveOperator::LOGICAL_AND, prog),
                    ContainsText("LOGICAL_AND takes no elements of type int"));
  CHECK_THROWS_WITH(gcl::allGatherWithinReplica(r.on.graph, gcl::Chunks(), prog), ContainsText("no chunks"));
  CHECK_THROWS_WITH(gcl::allReduceWithinReplica(r.on.graph, r.rows, CollectiveOperator::ADD, prog, {},
                                                {{"method", "clockwise_ring"}}),
                    ContainsText("has no turns"));
}

}  // namespace
