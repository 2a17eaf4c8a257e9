// One-hot rows, ranges and padding.
#include <popops/Encoding.hpp>
#include <popops/Pad.hpp>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;
using popops::padding::MappingMethod;
using Shape = std::vector<std::size_t>;

TEST_CASE("One-hot rows are hot where their index says") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (const Type type : {FLOAT, HALF, INT, UNSIGNED_INT, SHORT, BOOL, UNSIGNED_CHAR}) {
    for (const bool own : {false, true}) {
      const std::size_t rows = 1 + on.random() % 20, width = 1 + on.random() % 30;
      Values indices(rows);
      for (double& i : indices) i = static_cast<double>(on.random() % (width + 1));
      indices[0] = MASKED_LABEL_CODE;
      const double hot = own && type != BOOL ? 7 : 1, cold = own && type != BOOL ? 3 : 0;
      Values out;
      for (const double index : indices)
        for (std::size_t c = 0; c < width; ++c) out.push_back(index == static_cast<double>(c) ? hot : cold);
      const Tensor of = on.tensor(UNSIGNED_INT, {rows}, indices, "indices");
      const Tensor encoded = on.graph.addVariable(type, {rows, width}, "encoded");
      on.spread(encoded);
      if (own)
        popops::encodeOneHot(on.graph, of, encoded, prog, on.tensor(type, {}, {hot}, "on"),
                             on.tensor(type, {1}, {cold}, "off"), "encode");
      else
        popops::encodeOneHot(on.graph, of, encoded, prog, "encode");
      const std::string name = type.toString().cloneAsString() + (own ? " own" : "");
      on.read(encoded, name);
      expected[name] = out;
    }
  }
  CHECK(on.run(prog) == expected);
}

TEST_CASE("Ranges count from their start") {
  OnModel on;
  Sequence prog;
  const Tensor u = on.graph.addVariable(UNSIGNED_INT, {50}, "u"), i = on.graph.addVariable(INT, {9}, "i");
  on.spread(u);
  on.spread(i);
  popops::iota(on.graph, u, 4000000000U, prog);
  popops::iota(on.graph, i, -4, prog);
  on.read(u, "u");
  on.read(i, "i");
  const auto got = on.run(prog);
  for (std::size_t k = 0; k < 50; ++k) CHECK(got.at("u")[k] == 4000000000.0 + static_cast<double>(k));
  CHECK(got.at("i") == Values{-4, -3, -2, -1, 0, 1, 2, 3, 4});
}

TEST_CASE("What encodings cannot do is said") {
  OnModel on;
  Sequence prog;
  Graph& graph = on.graph;
  const Tensor indices = on.tensor(UNSIGNED_INT, {3}, Values(3), "indices");
  const Tensor real = on.tensor(FLOAT, {3}, Values(3), "real");
  const Tensor encoded = on.tensor(FLOAT, {3, 4}, Values(12), "encoded");
  CHECK_THROWS_WITH(popops::encodeOneHot(graph, real, encoded, prog), ContainsText("'real' are of type float"));
  CHECK_THROWS_WITH(popops::encodeOneHot(graph, indices, encoded[0], prog), ContainsText("'indices' of shape {3}"));
  CHECK_THROWS_WITH(popops::encodeOneHot(graph, indices.slice(0, 2), encoded, prog), ContainsText("of shape {2}"));
  CHECK_THROWS_WITH(popops::encodeOneHot(graph, indices, encoded, prog, indices[0], real[0]),
                    ContainsText("'indices' is not one element of the type of 'encoded'"));
  CHECK_THROWS_WITH(popops::iota(graph, indices, 1, prog), ContainsText("is not a vector of int"));
  CHECK_THROWS_WITH(popops::iota(graph, encoded, 1U, prog), ContainsText("'encoded' of type float"));
}

TEST_CASE("Padding adds and takes away") {
  OnModel on;
  Graph& graph = on.graph;
  const Tensor t = on.tensor(INT, {2, 3}, {1, 2, 3, 4, 5, 6}, "t");
  const Tensor value = on.tensor(INT, {}, {9}, "value");
  on.read(popops::pad(graph, t, {1, 0}, {0, 2}, 7), "both");
  on.read(popops::pad(graph, t, -1, 1, 1, 0.0f), "moved");
  on.read(popops::pad(graph, t, 1, 1, 0, value), "by tensor");
  on.read(popops::pad(graph, t, {0, 1}, {0, 1}, value), "columns by tensor");
  on.read(popops::pad(t, 2, 1, 1, popops::padding::Type::EDGE), "edge");
  on.read(popops::pad(t, {1, 2}, {0, 1}, popops::padding::Type::REFLECT), "reflect");
  const auto got = on.run(Sequence());
  CHECK(got.at("both") == Values{7, 7, 7, 7, 7, 1, 2, 3, 7, 7, 4, 5, 6, 7, 7});
  CHECK(got.at("moved") == Values{2, 3, 0, 5, 6, 0});
  CHECK(got.at("by tensor") == Values{9, 9, 9, 1, 2, 3, 4, 5, 6, 9, 9, 9});
  CHECK(got.at("columns by tensor") == Values{9, 1, 2, 3, 9, 9, 4, 5, 6, 9});
  CHECK(got.at("edge") == Values{1, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 6});
  CHECK(got.at("reflect") == Values{6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5});
}

TEST_CASE("Padding lives where it is wanted") {
  OnModel on;
  Graph& graph = on.graph;
  const Tensor t = graph.addVariable(FLOAT, {2, 2}, "t");
  graph.setTileMapping(t[0], 1);
  graph.setTileMapping(t[1], 3);
  const auto tile_of = [&](const Tensor& one) {
    const auto mapping = graph.getTileMapping(one);
    for (unsigned tile = 0; tile < mapping.size(); ++tile)
      if (!mapping[tile].empty()) return static_cast<int>(tile);
    return -1;
  };
  const Tensor edge = popops::pad(graph, t, 1, 2, 0, 0.0f, MappingMethod::EDGE);
  CHECK(tile_of(edge[0][0]) == 1);
  CHECK(tile_of(edge[3][1]) == 3);
  CHECK(tile_of(edge[4][1]) == 3);
  CHECK(tile_of(popops::pad(graph, t, 1, 0, 0)[0][0]) == 0);
  CHECK_THROWS_WITH(graph.getTileMapping(popops::pad(graph, t, 1, 0, 0, 0.0f, MappingMethod::NONE)),
                    ContainsText("padding"));
  CHECK_THROWS_WITH(popops::pad(graph, t, -1, -2, 0), ContainsText("fewer elements than the 3"));
  CHECK_THROWS_WITH(popops::pad(graph, t, 0, 0, 2), ContainsText("dimension 2 is not there"));
  CHECK_THROWS_WITH(popops::pad(t, std::vector<std::ptrdiff_t>{1}, {1}, popops::padding::Type::EDGE),
                    ContainsText("padding of 1 and 1 dimensions"));
  CHECK_THROWS_WITH(popops::pad(t, 0, 2, 0, popops::padding::Type::REFLECT), ContainsText("cannot be mirrored"));
  CHECK_THROWS_WITH(popops::pad(graph, t, -2, 1, 0, 0, MappingMethod::EDGE), ContainsText("nothing is left"));
  CHECK_THROWS_WITH(popops::pad(t, -2, 1, 0, popops::padding::Type::EDGE), ContainsText("nothing is left"));
}
