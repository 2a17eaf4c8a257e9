// Collectives of one, two and four replicas against the same on the host.
#include <algorithm>
#include <cmath>
#include <gcl/Collectives.hpp>
#include <numeric>
#include <random>

#include "tests/libs/gcl/on_replicas.h"

namespace {

using namespace gcl_test;
using gcl::CollectiveOperator, gcl::CommGroup, gcl::CommGroupType;

std::vector<float> random_values(std::size_t n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> spread(-2, 2);
  std::vector<float> values(n);
  for (float& value : values) value = spread(random);
  return values;
}

float combined(CollectiveOperator op, float a, float b) {
  switch (op) {
    case CollectiveOperator::MUL:
      return a * b;
    case CollectiveOperator::MIN:
      return std::min(a, b);
    case CollectiveOperator::MAX:
      return std::max(a, b);
    default:
      return a + b;
  }
}

// Element e of all replicas.
float expected(CollectiveOperator op, const std::vector<float>& values, unsigned n, std::size_t elements,
               std::size_t e) {
  const auto of = [&](unsigned replica) {
    const float x = values[replica * elements + e];
    return op == CollectiveOperator::SQUARE_ADD ? x * x : x;
  };
  float all = of(0);
  for (unsigned replica = 1; replica < n; ++replica) all = combined(op, all, of(replica));
  return op == CollectiveOperator::MEAN ? all / static_cast<float>(n) : all;
}

TEST_CASE("all replicas have the same, brought together from all") {
  const auto replicas = GENERATE(1u, 2u, 4u);
  const std::string method =
      GENERATE("broadcast", "clockwise_ring", "anticlockwise_ring", "bidirectional_ring_pair", "recursive_halving");
  const auto op = GENERATE(CollectiveOperator::ADD, CollectiveOperator::MAX, CollectiveOperator::SQUARE_ADD,
                           CollectiveOperator::MEAN);
  CAPTURE(replicas, method, op);
  constexpr std::size_t kElements = 37;  // no multiple of the replicas
  OnReplicas<float> on(replicas);
  const std::vector<float> values = random_values(replicas * kElements);
  const Tensor in = on.input({kElements}, values);
  Sequence prog;
  const Tensor out = gcl::allReduceCrossReplica(on.graph, in, op, prog, "sum", {{"method", method}});
  CHECK(out.shape() == in.shape());
  const std::vector<float> all = on.result(out, prog);
  for (unsigned replica = 0; replica < replicas; ++replica)
    for (std::size_t e = 0; e < kElements; ++e) {
      CHECK(all[replica * kElements + e] == Approx(expected(op, values, replicas, kElements, e)).margin(1e-5));
      CHECK(all[replica * kElements + e] == all[e]);
    }
}

TEST_CASE("every operator does what its name says") {
  const auto op = GENERATE(CollectiveOperator::MUL, CollectiveOperator::MIN);
  OnReplicas<float> on(2);
  const Tensor in = on.input({2}, {3, -5, 2, 7});
  Sequence prog;
  gcl::allReduceInPlaceCrossReplica(on.graph, in, op, prog);
  const bool mul = op == CollectiveOperator::MUL;
  CHECK(on.result(in, prog) == (mul ? std::vector<float>{6, -35, 6, -35} : std::vector<float>{2, -5, 2, -5}));
}

TEST_CASE("large tensors are brought together in turns, wherever they are") {
  const auto replicas = GENERATE(2u, 4u, 8u);
  const std::string method = GENERATE("auto", "bidirectional_ring_pair");
  const std::string where = GENERATE("evenly", "on one tile", "in pieces");
  CAPTURE(replicas, method, where);
  constexpr std::size_t kElements = 3001;
  OnReplicas<int> on(replicas);
  std::vector<int> values(replicas * kElements);
  std::iota(values.begin(), values.end(), 0);
  const Tensor in = on.input({kElements}, values);
  if (where == "on one tile") on.graph.setTileMapping(in, 3);
  if (where == "in pieces")
    for (std::size_t i = 0; i < kElements; i += 100)
      on.graph.setTileMapping(in.slice(i, std::min(i + 100, kElements)), i / 100 % 4);
  Sequence prog;
  gcl::allReduceInPlaceCrossReplica(on.graph, in, CollectiveOperator::ADD, prog, "sum", {{"method", method}});
  const std::vector<int> all = on.result(in, prog);
  bool equal = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int e = static_cast<int>(i % kElements), n = static_cast<int>(replicas);
    equal = equal && all[i] == n * e + n * (n - 1) / 2 * static_cast<int>(kElements);
  }
  CHECK(equal);
}

TEST_CASE("what goes to a destination leaves the data as they were") {
  OnReplicas<float> on(4);
  std::vector<float> values(4 * 2500, 1.5F);
  const Tensor in = on.input({2500}, values);
  const Tensor out = on.graph.clone(in, "out");
  Sequence prog;
  gcl::allReduceToDestinationCrossReplica(on.graph, in, out, CollectiveOperator::MEAN, prog, CommGroup());
  const std::vector<float> all = on.result(poplar::concat(in, out), prog);
  CHECK(all == std::vector<float>(4 * 5000, 1.5F));
}

TEST_CASE("each replica gets its part of what is brought together") {
  OnReplicas<int> on(4);
  const Tensor in = on.input({6}, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0});
  Sequence prog;
  const Tensor out = gcl::reduceScatterCrossReplica(on.graph, in, CollectiveOperator::ADD, prog);
  CHECK(out.shape() == std::vector<std::size_t>{2});
  std::vector<int> parts = on.result(out, prog);
  parts.resize(6);
  CHECK(parts == std::vector<int>{11, 22, 33, 44, 55, 73});
}

TEST_CASE("what is scattered locally is each replica's own part") {
  OnReplicas<int> on(2);
  const Tensor in = on.input({4}, {1, 2, 3, 4, 5, 6, 7, 8});
  Sequence prog;
  const Tensor out = gcl::reduceScatterCrossReplica(on.graph, in, CollectiveOperator::LOCAL, prog);
  CHECK(on.result(out, prog) == std::vector<int>{1, 2, 7, 8});
}

TEST_CASE("every replica gathers the data of all in the order of ranks") {
  const auto replicas = GENERATE(1u, 2u, 4u);
  OnReplicas<int> on(replicas);
  std::vector<int> values(replicas * 6);
  std::iota(values.begin(), values.end(), 1);
  const Tensor in = on.input({2, 3}, values);
  Sequence prog;
  const Tensor out = gcl::allGatherCrossReplica(on.graph, in, prog);
  CHECK(out.shape() == std::vector<std::size_t>{replicas, 2, 3});
  std::vector<int> wanted;
  for (unsigned replica = 0; replica < replicas; ++replica) wanted.insert(wanted.end(), values.begin(), values.end());
  CHECK(on.result(out, prog) == wanted);
}

TEST_CASE("all to all turns replicas and entries round") {
  OnReplicas<int> on(4);
  std::vector<int> values, wanted;
  for (int replica = 0; replica < 4; ++replica)
    for (int entry = 0; entry < 4; ++entry)
      for (int i = 0; i < 2; ++i) {
        values.push_back(100 * replica + 10 * entry + i);
        wanted.push_back(100 * entry + 10 * replica + i);
      }
  const Tensor in = on.input({4, 2}, values);
  Sequence prog;
  CHECK(on.result(gcl::allToAllCrossReplica(on.graph, in, prog), prog) == wanted);
}

TEST_CASE("a broadcast is of the root's data") {
  OnReplicas<int> on(2);
  const Tensor in = on.input({2}, {1, 2, 3, 4});
  Sequence prog;
  CHECK(on.result(gcl::broadcastCrossReplica(on.graph, in, prog, CommGroup(), 1), prog) ==
        std::vector<int>{3, 4, 3, 4});
}

TEST_CASE("groups keep to themselves") {
  struct Row {
    CommGroup group;
    std::vector<int> sums;
  };
  const Row row = GENERATE(Row{{CommGroupType::CONSECUTIVE, 2}, {11, 11, 1100, 1100}},
                           Row{{CommGroupType::ORTHOGONAL, 2}, {101, 1010, 101, 1010}},
                           Row{{CommGroupType::CONSECUTIVE, 2, 2}, {101, 1010, 101, 1010}},
                           Row{{CommGroupType::CONSECUTIVE, 1}, {1, 10, 100, 1000}},
                           Row{{CommGroupType::ALL, 0}, {1111, 1111, 1111, 1111}});
  OnReplicas<int> on(4);
  const Tensor in = on.input({1}, {1, 10, 100, 1000});
  Sequence prog;
  CHECK(on.result(gcl::allReduceCrossReplica(on.graph, in, CollectiveOperator::ADD, prog, row.group), prog) ==
        row.sums);
}

TEST_CASE("tensors of several types are reduced together") {
  OnReplicas<float> on(2);
  const Tensor in = on.input({2}, {1, 2, 3, 4});
  const Tensor number = on.graph.addVariable(INT, {}, "number");
  on.graph.setTileMapping(number, 1);
  on.graph.setInitialValue(number, std::map<unsigned, unsigned>{{0, 5}, {1, 6}});
  on.graph.createHostRead("number", number);
  Sequence prog;
  const std::vector<Tensor> out =
      gcl::allReduceCrossReplica(on.graph, std::vector<Tensor>{in, number}, CollectiveOperator::ADD, prog);
  REQUIRE(out.size() == 2);
  gcl::allReduceInPlaceCrossReplica(on.graph, std::vector<Tensor>{in}, CollectiveOperator::MAX, prog);
  CHECK(on.result(poplar::concat(out[0], in), prog) == std::vector<float>{4, 6, 3, 4, 4, 6, 3, 4});
}

}  // namespace
