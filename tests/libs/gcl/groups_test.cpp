// What collectives refuse, and the names of their operators: nothing runs.
#include <catch2/catch.hpp>
#include <gcl/Collectives.hpp>
#include <poplar/exceptions.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

namespace {

using namespace poplar;
using Catch::Matchers::ContainsText;
using gcl::CollectiveOperator, gcl::CommGroup, gcl::CommGroupType;

struct Replicas {
  Graph graph{Target::createIPUTarget(4, "mk2-4"), replication_factor(4)};
  Tensor data = graph.addVariable(FLOAT, {3}, VariableMappingMethod::LINEAR, "data");
  program::Sequence prog;

  void reduce(const CommGroup& group, const OptionFlags& options = {}) {
    gcl::allReduceCrossReplica(graph, data, CollectiveOperator::ADD, prog, group, "sum", options);
  }
};

TEST_CASE_METHOD(Replicas, "groups that do not divide the replicas are refused") {
  CHECK_THROWS_WITH(reduce({CommGroupType::CONSECUTIVE, 3}),
                    "allReduceCrossReplica: groups of 3 do not divide the 4 replicas");
  CHECK_THROWS_WITH(reduce({CommGroupType::CONSECUTIVE, 2, 4}), ContainsText("groups of 2 at stride 4"));
  CHECK_THROWS_WITH(reduce({CommGroupType::CONSECUTIVE, 2, 0}), ContainsText("stride 0"));
  CHECK_THROWS_AS(reduce({CommGroupType::ALL, 2}), poputil::poplibs_error);
  CHECK_THROWS_WITH(gcl::broadcastCrossReplica(graph, data, prog, CommGroup(), 4), ContainsText("rootReplica 4"));
  CHECK_THROWS_WITH(gcl::allToAllCrossReplica(graph, data, prog), ContainsText("no entry for each of 4 replicas"));
}

TEST_CASE_METHOD(Replicas, "operators are refused for elements that they do not take") {
  const Tensor truth = graph.addVariable(BOOL, {1}, VariableMappingMethod::LINEAR, "truth");
  const Tensor whole = graph.addVariable(INT, {1}, VariableMappingMethod::LINEAR, "whole");
  CHECK_THROWS_WITH(gcl::allReduceCrossReplica(graph, truth, CollectiveOperator::ADD, prog), ContainsText("bool"));
  CHECK_THROWS_WITH(gcl::allReduceCrossReplica(graph, data, CollectiveOperator::LOGICAL_AND, prog),
                    "allReduceCrossReplica: LOGICAL_AND takes no elements of type float");
  CHECK_THROWS_WITH(gcl::reduceScatterCrossReplica(graph, whole, CollectiveOperator::MEAN, prog), ContainsText("int"));
  CHECK_NOTHROW(gcl::allReduceInPlaceCrossReplica(graph, truth, CollectiveOperator::LOGICAL_OR, prog));
  CHECK_THROWS_WITH(
      gcl::allReduceToDestinationCrossReplica(graph, data, whole, CollectiveOperator::ADD, prog, CommGroup()),
      ContainsText("destination is of shape"));
}

TEST_CASE_METHOD(Replicas, "options that there are not are refused") {
  CHECK_NOTHROW(reduce({}, {{"method", "clockwise_ring"}, {"useReplicatedImplementation", "true"}}));
  CHECK_THROWS_WITH(reduce({}, {{"method", "tree"}}), ContainsText("'method' is 'tree'") && ContainsText("'auto'"));
  CHECK_NOTHROW(reduce({}, {{"method", "recursive_halving"}}));
  CHECK_THROWS_WITH(reduce({}, {{"speed", "1"}}), ContainsText("no collective option 'speed'"));
  CHECK_THROWS_WITH(reduce({}, {{"useReplicatedImplementation", "false"}}), ContainsText("it takes ['true']"));
  const auto gather_by = [&](const char* method) {
    return gcl::allGatherCrossReplica(graph, data, prog, CommGroup(), {}, {{"method", method}});
  };
  CHECK_NOTHROW(gather_by("broadcast"));
  CHECK_THROWS_WITH(gather_by("clockwise_ring"),
                    "collective option 'method' is 'clockwise_ring': allGatherCrossReplica has no turns, and takes "
                    "'auto' and 'broadcast'");
}

TEST_CASE("operators of collectives have names") {
  std::ostringstream os;
  os << CollectiveOperator::SQUARE_ADD;
  CHECK(os.str() == "SQUARE_ADD");
  CollectiveOperator op = CollectiveOperator::ADD;
  std::istringstream("MEAN") >> op;
  CHECK(op == CollectiveOperator::MEAN);
  std::istringstream wrong("SUM");
  CHECK_THROWS_AS(wrong >> op, poputil::poplibs_error);
}

TEST_CASE("a group is its type, size and stride") {
  const CommGroup group(CommGroupType::CONSECUTIVE, 4, 2);
  CHECK(group.type() == CommGroupType::CONSECUTIVE);
  CHECK(group.size() == 4);
  CHECK(group.stride() == 2);
  CHECK(group == CommGroup(CommGroupType::CONSECUTIVE, 4, 2));
  CHECK(group != CommGroup());
}

}  // namespace
