// Matrices transposed and groups changed, of random tensors and mappings against loops by hand.
#include <numeric>
#include <popops/Rearrange.hpp>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using namespace popops::rearrange;
using Catch::Matchers::ContainsText;
using poputil::GroupingInfo;
using Shape = std::vector<std::size_t>;

namespace {

Values counted(std::size_t n) {
  Values out(n);
  std::iota(out.begin(), out.end(), 0.0);
  return out;
}

// A tensor whose elements lie in groups: of 4 rows for each column, or as they come.
Tensor in_rows_of_4(OnModel& on, Type type, std::size_t rows, std::size_t columns, const std::string& name) {
  const Tensor t = on.graph.addVariable(type, {rows / 4, columns, 4}, name);
  on.graph.setTileMapping(t, 1);
  return t.dimShuffle({0, 2, 1}).reshape({rows, columns});
}

}  // namespace

TEST_CASE("Matrices are transposed on their tiles") {
  OnModel on;
  Sequence prog;
  const ComputeSet cs = on.graph.addComputeSet("transpose");
  std::map<std::string, Values> expected;
  for (int i = 0; i < rounds(30); ++i) {
    const Type type = i % 3 == 0 ? HALF : i % 3 == 1 ? UNSIGNED_INT : i % 2 == 0 ? SHORT : UNSIGNED_CHAR;
    const std::size_t unit = i % 6 == 0 || i % 4 == 0 ? 4 : 1, n = 1 + on.random() % 5;
    const std::size_t rows = unit * (1 + on.random() % 5), columns = unit * (1 + on.random() % 5);
    Values values(n * rows * columns), out(values.size());
    for (double& v : values) v = static_cast<double>(on.random() % 256);
    for (std::size_t m = 0; m < n; ++m)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
          out[(m * columns + c) * rows + r] = values[(m * rows + r) * columns + c];
    const std::string name = std::to_string(i);
    const Tensor t = on.tensor(type, {n, rows, columns}, values, "in " + name);
    const Tensor transposed = partialTranspose(on.graph, t, cs, "transpose");
    REQUIRE(transposed.shape() == Shape{n, columns, rows});
    CHECK(transposed.isContiguous());
    CHECK(on.graph.getTileMapping(transposed[n - 1]).size() == kTiles);
    on.read(transposed, name);
    expected[name] = out;
  }
  prog.add(Execute(cs));
  CHECK(on.run(prog) == expected);
}

TEST_CASE("Vertices transpose what a tile is given") {
  OnModel on;
  const ComputeSet cs = on.graph.addComputeSet("transpose");
  const Tensor in = on.tensor(FLOAT, {3, 6}, counted(18), "in"), out = on.graph.addVariable(FLOAT, {3, 6}, "out");
  addTransposeVertices(on.graph, cs, FLOAT, 2, 3, {{}, {{2, 3}, {0, 1}}, {}, {{1, 2}}},
                       [&](std::size_t i) { return std::pair<const Tensor, const Tensor>(in[i], out[i]); });
  const auto mapping = on.graph.getTileMapping(out);
  CHECK(mapping[1] == std::vector<Interval>{{0, 6}, {12, 18}});
  CHECK(mapping[3] == std::vector<Interval>{{6, 12}});
  on.read(out, "out");
  CHECK(on.run(Execute(cs)).at("out") == Values{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, 12, 15, 13, 16, 14, 17});
  const ComputeSet other = on.graph.addComputeSet("other");
  CHECK_THROWS_WITH(
      addTransposeVertices(on.graph, other, FLOAT, 2, 2, {{{0, 1}}},
                           [&](std::size_t i) { return std::pair<const Tensor, const Tensor>(in[i], out[i]); }),
      ContainsText("not 2 x 2 elements"));
  CHECK_THROWS_WITH(partialTranspose(on.graph, in[0], other), ContainsText("fewer than 2 dimensions"));
}

TEST_CASE("What goes four by four is known") {
  const Target target = OnModel().graph.getTarget();
  CHECK(canUseFastTranspose(target, HALF, 4, 8, 1));
  CHECK(canUseFastTranspose(target, SHORT, 12, 4, 9));
  CHECK_FALSE(canUseFastTranspose(target, HALF, 4, 6, 1));
  CHECK_FALSE(canUseFastTranspose(target, HALF, 2, 4, 1));
  CHECK_FALSE(canUseFastTranspose(target, FLOAT, 4, 4, 1));
  CHECK(getMinimumRegroupGrainSize(HALF) == 4);
  CHECK(getMinimumRegroupGrainSize(FLOAT) == 2);
  CHECK(getMinimumRegroupGrainSize(BOOL) == 1);
}

TEST_CASE("Groups change and values stay") {
  OnModel on;
  Graph& graph = on.graph;
  Sequence prog;
  const Values values = counted(8 * 12);
  const auto check = [&](const Tensor& t, const GroupingInfo& group, const std::string& name) {
    REQUIRE(t.shape() == Shape{8, 12});
    CHECK(poputil::detectDimGroupings(graph, t).at(0) == group);
    on.read(t, name);
  };
  const Tensor halves = in_rows_of_4(on, HALF, 8, 12, "halves"), floats = in_rows_of_4(on, FLOAT, 8, 12, "floats");
  on.write(halves, values);
  on.write(floats, values);
  REQUIRE(poputil::detectDimGroupings(graph, halves).at(0) == GroupingInfo(0, 4));
  const ComputeSet cs = graph.addComputeSet("regroup");
  check(regroupTensor(graph, halves, prog, cs, {0, 4}, {1, 4}), {1, 4}, "halves");
  check(regroupTensor(graph, floats, prog, cs, {0, 2}, {1, 6}), {1, 6}, "floats");
  std::vector<Copy> copies;
  check(regroupTensor(graph, halves, copies, cs, {0, 2}, {1, 3}), {1, 3}, "by copies");
  REQUIRE(copies.size() == 1);
  prog.add(copies[0]);
  prog.add(Execute(cs));
  check(regroupIfPossible(graph, halves, prog, {1, 12}), {1, 12}, "possible");
  const Tensor ref =
      graph.addVariable(HALF, {8, 3, 4}, "ref").dimShuffle({1, 0, 2}).dimShuffle({1, 0, 2}).reshape({8, 12});
  graph.setTileMapping(ref, 2);
  const GroupingInfo of_ref = poputil::detectDimGroupings(graph, ref).at(0);
  check(regroupIfBeneficial(graph, halves, ref, prog), of_ref, "as another");
  check(regroupIfBeneficial(graph, halves, 4, prog), {1, 4}, "as wanted");
  for (const auto& got : on.run(prog)) {
    INFO(got.first);
    CHECK(got.second == values);
  }
}

TEST_CASE("Groups that are not worth it stay") {
  OnModel on;
  Graph& graph = on.graph;
  Sequence prog;
  const Tensor t = in_rows_of_4(on, HALF, 8, 12, "t"), vector = on.tensor(HALF, {8}, {}, "vector");
  const Tensor pairs = graph.addVariable(HALF, {4, 12, 2}, "pairs").dimShuffle({0, 2, 1}).reshape({8, 12});
  graph.setTileMapping(pairs, 0);
  CHECK(regroupIfPossible(graph, t, prog, {0, 4}) == t);          // it has them
  CHECK(regroupIfPossible(graph, t, prog, {1, 5}) == t);          // no divisor
  CHECK(regroupIfPossible(graph, t, prog, {2, 1}) == t);          // no dimension
  CHECK(regroupIfPossible(graph, pairs, prog, {1, 4}) == pairs);  // too small
  CHECK(regroupIfPossible(graph, vector, prog, {0, 4}) == vector);
  CHECK(regroupIfBeneficial(graph, t, 6, prog) == t);      // too small
  CHECK(regroupIfBeneficial(graph, t, pairs, prog) == t);  // so are another's
  const ComputeSet cs = graph.addComputeSet("regroup");
  CHECK(regroupTensor(graph, vector, prog, cs, {0, 2}, {0, 4}) == vector);
  CHECK_THROWS_WITH(regroupTensor(graph, t, prog, cs, {0, 3}, {1, 4}),
                    ContainsText("'t' of shape {8,12}: groups of 3 do not divide dimension 0"));
  CHECK_THROWS_WITH(regroupTensor(graph, t, prog, cs, {1, 2}, {1, 4}), ContainsText("of the same dimension 1"));
  CHECK_THROWS_WITH(regroupIfBeneficial(graph, t, 5, prog), ContainsText("groups of 5 do not divide"));
  CHECK_THROWS_WITH(regroupIfBeneficial(graph, t, vector, prog), ContainsText("not of the shape of 'vector'"));
}
