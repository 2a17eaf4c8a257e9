// poplar::Tensor: shapes that operations give, and what their misuse throws.
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

// Elements of the tensor's only variable, in flattened order.
std::vector<std::size_t> elements(const Tensor& t) {
  std::vector<std::size_t> out;
  for (const VariableInterval& v : t.getVarRegions()) {
    for (std::size_t i = v.interval.begin(); i < v.interval.end(); ++i) out.push_back(i);
  }
  return out;
}

}  // namespace

TEST_CASE_METHOD(GraphFixture, "indexing and slicing") {
  const Tensor t = graph.addVariable(FLOAT, {3, 4}, "t");
  CHECK(t[1].shape() == Shape{4});
  CHECK(elements(t[1][2]) == std::vector<std::size_t>{6});
  CHECK(t[1][2].shape().empty());
  CHECK(elements(t.slice(1, 3)) == elements(concat(t[1], t[2])));
  CHECK(elements(t.slice({1, 1}, {2, 4})) == std::vector<std::size_t>{5, 6, 7});
  CHECK(t.slice({1, 1}, {2, 4}).shape() == Shape{1, 3});
  CHECK(t.slice(Interval(0, 2), 1).shape() == Shape{3, 2});
  CHECK(elements(t.index({2, 3})) == std::vector<std::size_t>{11});
  CHECK(t.slices({Interval(0, 1), Interval(1, 3)}).size() == 2);
  CHECK(t.slices({{Interval(0, 1), Interval(2, 3)}, {}})[0].shape() == Shape{2, 4});
  CHECK(t.slice(2, 2).numElements() == 0);
  CHECK_THROWS_AS(t[3], index_error);
  CHECK_THROWS_AS(t[0][0][0], index_error);
  CHECK_THROWS_AS(t.slice(2, 1), index_error);
  CHECK_THROWS_AS(t.slice(0, 5, 1), index_error);
  CHECK_THROWS_AS(t.slice(0, 1, 2), index_error);
  CHECK_THROWS_AS(t.dim(2), index_error);
}

TEST_CASE_METHOD(GraphFixture, "changing the shape") {
  const Tensor t = graph.addVariable(INT, {2, 3, 4}, "t");
  CHECK(t.flatten().shape() == Shape{24});
  CHECK(t.flatten(1, 3).shape() == Shape{2, 12});
  CHECK(t.reshape({4, 6}).shape() == Shape{4, 6});
  CHECK(t.reshapePartial(0, 2, {3, 2}).shape() == Shape{3, 2, 4});
  CHECK(t.dimShuffle({2, 0, 1}).shape() == Shape{4, 2, 3});
  CHECK(t.dimRoll(2).shape() == Shape{4, 2, 3});
  CHECK(t.dimRoll(0, 2).shape() == Shape{3, 4, 2});
  CHECK(t.dimShufflePartial({0, 2}, {2, 1}).shape() == Shape{3, 4, 2});
  CHECK(t.expand({0, 2}).shape() == Shape{1, 2, 3, 1, 4});
  CHECK(t.expand({0, 2}).squeeze({0}).rank() == 4);
  CHECK(t.broadcast(3, 1).shape() == Shape{2, 9, 4});
  CHECK(t.upsample(2, 2).shape() == Shape{2, 3, 8});
  CHECK(t.subSample(2, 2).shape() == Shape{2, 3, 2});
  CHECK(elements(t[0].transpose()) == std::vector<std::size_t>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(elements(t[0][0].reverse(0)) == std::vector<std::size_t>{3, 2, 1, 0});
  CHECK_THROWS_AS(t.reshape({5, 5}), poplar_error);
  CHECK_THROWS_AS(t.dimShuffle({0, 0, 1}), poplar_error);
  CHECK_THROWS_AS(t.dimShuffle({0, 1}), poplar_error);
  CHECK_THROWS_AS(t.transpose(), poplar_error);
  CHECK_THROWS_AS(t.squeeze({0}), poplar_error);
  CHECK_THROWS_AS(t.subSample(0, 0), poplar_error);
}

TEST_CASE_METHOD(GraphFixture, "element types") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "t");
  CHECK(t.reinterpret(UNSIGNED_INT).elementType() == UNSIGNED_INT);
  CHECK(t.elementType() == FLOAT);
  CHECK_THROWS_AS(t.reinterpret(HALF), type_error);
  CHECK_THROWS_AS(concat(t, graph.addVariable(INT, {4})), type_error);
}

TEST_CASE_METHOD(GraphFixture, "joining") {
  const Tensor a = graph.addVariable(FLOAT, {2, 3}, "a");
  const Tensor b = graph.addVariable(FLOAT, {2, 1}, "b");
  CHECK(concat(a, b, {1}).shape() == Shape{2, 4});
  CHECK(concat({a, a, a}).shape() == Shape{6, 3});
  CHECK(append(a, a[0]).shape() == Shape{3, 3});
  CHECK(append(a, b.flatten(), 1).shape() == Shape{2, 4});
  CHECK_THROWS_AS(concat(a, b), poplar_error);
  CHECK_THROWS_AS(concat(ArrayRef<Tensor>()), poplar_error);
  Graph other(graph.getTarget());
  CHECK_THROWS_AS(concat(a, other.addVariable(FLOAT, {2, 3})), poplar_error);
}

TEST_CASE_METHOD(GraphFixture, "questions about elements") {
  const Tensor t = graph.addVariable(FLOAT, {4, 4}, "t");
  const Tensor one = graph.addConstant(FLOAT, {4, 4}, 1.0f, "one");
  CHECK(t.isContiguous());
  CHECK_FALSE(t.transpose().isContiguous());
  CHECK(t.isParallelWriteable());
  CHECK(t.broadcast(2, 0).containsAliases());
  CHECK(concat(t, t).containsAliases());
  CHECK_FALSE(concat(t, t.broadcast(2, 0)).isParallelWriteable());
  CHECK(concat(t, one).containsConstant());
  CHECK(t[1].intersectsWith(t.transpose()[0]));
  CHECK_FALSE(t[1].intersectsWith(t[2]));
  CHECK(t.getDebugStr() == "t");
  CHECK(t.shapeToString() == "{4,4}");
  CHECK(t[1].getContiguousRegions() == std::vector<Interval>{Interval(0, 4)});
  CHECK(t.slice(0, 2, 1).getContiguousRegions().size() == 4);
  CHECK(t == t.transpose().transpose());
  CHECK(t != t.transpose());
  std::ostringstream os;
  os << t;
  CHECK(os.str() == "float{4,4} variable 't'");
}

TEST_CASE("a default-constructed tensor is invalid") {
  Tensor t;
  CHECK_FALSE(t.valid());
  CHECK_THROWS_AS(t.shape(), poplar_error);
  CHECK_THROWS_AS(concat(t, t), poplar_error);
}

TEST_CASE_METHOD(GraphFixture, "shapes whose elements 64 bits do not count are refused") {
  const std::size_t k32 = std::size_t{1} << 32, most = ~std::size_t{0};
  CHECK_THROWS_WITH(
      graph.addVariable(FLOAT, {k32, k32}, "t"),
      "Shape {4294967296,4294967296} has more than the 1152921504606846976 elements that a tensor can have");
  CHECK_THROWS_AS(graph.addVariable(FLOAT, {most, most}, "t"), poplar_error);  // the product wraps to 1
  CHECK_THROWS_AS(graph.addConstant(FLOAT, {k32, k32}, 1.0f), poplar_error);
  CHECK_THROWS_AS(graph.addHostToDeviceFIFO("s", FLOAT, most), poplar_error);
  CHECK(graph.addVariable(FLOAT, {0, k32, k32}, "none").numElements() == 0);

  const Tensor large = graph.addVariable(FLOAT, {k32, k32 / 16}, "large");
  const std::string message =
      "broadcast: dimension 1 of shape {4294967296,268435456} times 2 has more elements than any "
      "tensor can have";
  CHECK_THROWS_WITH(large.broadcast(2, 1), message);
  CHECK_THROWS_AS(large.upsample(2, 0, UpsampleMethod::REPEAT), poplar_error);
  CHECK_THROWS_AS(concat(large, large), poplar_error);
  CHECK(large.broadcast(1, 0).numElements() == large.numElements());
  CHECK_THROWS_AS(graph.addVariable(FLOAT, {1}, "one").reshape({most, most}), poplar_error);
  CHECK_THROWS_AS(graph.addVariable(FLOAT, {0, k32, k32}, "empty").flatten(1, 3), poplar_error);
}
