// Tensors for the host, circular buffers, counters of loops, conversions that keep a value, names.
#include <popops/Cast.hpp>
#include <popops/CircBuf.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ExprOpUtils.hpp>
#include <popops/HostSliceTensor.hpp>
#include <popops/Loop.hpp>
#include <popops/OperationDefUtil.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;
using Regions = std::vector<Interval>;

TEST_CASE("Tensors for the host lie in pieces of packets") {
  OnModel on;
  const auto mapping = [&](const Tensor& t) { return on.graph.getTileMapping(t); };
  // Rows of 3 pieces of 1,024 bytes, the last of one element; 6 pieces on 4 tiles.
  const auto read = popops::createHostSliceableTensor(on.graph, FLOAT, {2, 513}, true, "read");
  CHECK(read.indices.elementType() == UNSIGNED_INT);
  CHECK(mapping(read.tensor) == std::vector<Regions>{{{0, 512}}, {{512, 513}}, {{513, 1025}}, {{1025, 1026}}});
  CHECK(mapping(read.indices) == std::vector<Regions>{{{0, 1}}, {}, {{1, 2}}, {}});
  // Pieces of 256 bytes, from tile 3 on.
  const Tensor written = popops::createHostTransferableTensor(on.graph, HALF, {2, 3, 64}, false, 2049, "written");
  CHECK(written.shape() == std::vector<std::size_t>{2, 3, 64});
  CHECK(mapping(written) == std::vector<Regions>{{{128, 256}}, {{256, 384}}, {}, {{0, 128}}});
  CHECK(popops::createHostTransferableTensor(on.graph, HALF, {5}, true).numElements() == 5);
  CHECK_THROWS_WITH(popops::createHostSliceableTensor(on.graph, HALF, {5}, true),
                    ContainsText("of 1 dimensions, not 2"));
}

TEST_CASE("Casts between halves and floats of any length") {
  OnModel on;
  Sequence prog;
  for (std::size_t n = 1; n <= 60; ++n) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i) - 7;
    const Tensor t = on.graph.addVariable(FLOAT, {n});
    on.graph.setTileMapping(t, static_cast<unsigned>(n % 4));
    on.graph.setInitialValue<float>(t, values);
    const Tensor half = popops::cast(on.graph, t, HALF, prog);
    // Of some elements as well: they begin in the middle of registers.
    on.read(popops::cast(on.graph, half, FLOAT, prog), "all " + std::to_string(n));
    on.read(popops::cast(on.graph, half.slice(n / 3, n), FLOAT, prog), "some " + std::to_string(n));
  }
  const auto got = on.run(prog);
  for (std::size_t n = 1; n <= 60; ++n) {
    const Values &all = got.at("all " + std::to_string(n)), &some = got.at("some " + std::to_string(n));
    CAPTURE(n);
    for (std::size_t i = 0; i < n; ++i) CHECK(all[i] == static_cast<double>(i) - 7);
    for (std::size_t i = 0; i < some.size(); ++i) CHECK(some[i] == static_cast<double>(i + n / 3) - 7);
  }
}

TEST_CASE("Circular buffers hold the last tensors") {
  OnModel on;
  Sequence prog;
  popops::CircBuf buffer(on.graph, SHORT, 3, {2, 5}, "buffer");
  CHECK(buffer.size() == 3);
  std::vector<Values> added;
  for (int i = 0; i < 5; ++i) {
    added.push_back(Values(10));
    for (double& v : added.back()) v = static_cast<double>(on.random() % 1000);
    buffer.add(on.tensor(SHORT, {2, 5}, added.back(), "t" + std::to_string(i)), prog);
  }
  for (unsigned i = 0; i < 3; ++i) {
    const Tensor t = buffer.prev(i, prog);
    CHECK(t.shape() == std::vector<std::size_t>{2, 5});
    CHECK(on.graph.getTileMapping(t) == buffer.getTileMapping());
    on.read(t, std::to_string(i));
  }
  on.read(buffer.getIndex(), "index");
  const auto got = on.run(prog);
  for (std::size_t i = 0; i < 3; ++i) CHECK(got.at(std::to_string(i)) == added[4 - i]);
  CHECK(got.at("index") == Values{5 % 3});
  CHECK_THROWS_WITH(buffer.prev(3, prog), ContainsText("3 of 3 tensors"));
  CHECK_THROWS_WITH(buffer.add(on.tensor(SHORT, {10}, {}, "flat"), prog), ContainsText("'flat' of shape {10}"));
  CHECK_THROWS_WITH(popops::CircBuf(on.graph, SHORT, 0, {2}), ContainsText("a size of 0"));
}

TEST_CASE("Counters of loops go on until their limit") {
  OnModel on;
  Sequence condition, prog;
  const Tensor count = on.tensor(INT, {}, {7}, "count"), limit = on.tensor(INT, {1}, {-5}, "limit");
  const Tensor turns = on.tensor(UNSIGNED_INT, {}, {0}, "turns");
  const Tensor more = popops::addForLoopCounterVertex(on.graph, count, limit, -3, 2, condition, "counter");
  Sequence body;
  popops::addInPlace(on.graph, turns, 1U, body);
  prog.add(RepeatWhileTrue(condition, more, body));
  on.read(count, "count");
  on.read(turns, "turns");
  const auto got = on.run(prog);
  CHECK(got.at("count") == Values{-5});
  CHECK(got.at("turns") == Values{3});  // at 4, 1 and -2
  CHECK_THROWS_WITH(popops::addForLoopCounterVertex(on.graph, count, turns, 1, 0, condition, {}),
                    ContainsText("addForLoopCounterVertex: 'turns' is not one element of the count's type"));
}

TEST_CASE("Whether a half keeps a float is told") {
  OnModel on;
  Sequence prog;
  struct Case {
    double value, tolerance;
    bool kept;
  };
  // 2049 is 2048 as a half: an error of 1 / 2049.
  const std::vector<Case> cases = {{0.5, 4.87e-4, true},   {2049, 4.87e-4, false},  {2049, 4.89e-4, true},
                                   {65504, 4.87e-4, true}, {70000, 0.5, false},     {0, 4.87e-4, false},
                                   {-6.2e-5, 0.5, true},   {-6e-8, 4.87e-4, false}, {-0.1, 4.87e-4, true}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Tensor t = on.tensor(FLOAT, {1}, {cases[i].value}, "t");
    on.read(popops::checkAccuracyWhenCast(on.graph, t, HALF, cases[i].tolerance, prog), std::to_string(i));
  }
  const auto got = on.run(prog);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].value << " within " << cases[i].tolerance);
    CHECK(got.at(std::to_string(i)) == Values{cases[i].kept ? 1.0 : 0.0});
  }
  const Tensor two = on.tensor(FLOAT, {2}, {1, 2}, "two");
  CHECK_THROWS_WITH(popops::checkAccuracyWhenCast(on.graph, two, HALF, 0.1, prog), ContainsText("'two' of shape {2}"));
  CHECK_THROWS_WITH(popops::checkAccuracyWhenCast(on.graph, two[0], INT, 0.1, prog), ContainsText("to int"));
}

TEST_CASE("Operators and operations have names") {
  using namespace popops::expr::ostream_ext;
  std::ostringstream out;
  out << popops::expr::UnaryOpType::EXPONENT_MINUS_ONE << ' ' << popops::expr::BinaryOpType::SHIFT_LEFT << ' '
      << popops::expr::TernaryOpType::SELECT;
  CHECK(out.str() == "EXPONENT_MINUS_ONE SHIFT_LEFT SELECT");
  CHECK(std::string(poputil::asString(popops::Operation::SQUARE_ADD)) == "Square Add");
  CHECK(std::string(poputil::asString(popops::Operation::MAX)) == "Max");
  CHECK(poputil::templateVertex("V", popops::Operation::LOG_ADD) == "V<popops::Operation::LOG_ADD>");
  CHECK_THROWS_AS(poputil::asString(static_cast<popops::Operation>(99)), poputil::poplibs_error);
}
