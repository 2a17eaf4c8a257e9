// One element of each row, and sequences of rows, of random tensors and mappings against loops by hand.
#include <cmath>
#include <popops/EncodingConstants.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/SequenceSlice.hpp>
#include <popops/UpdateScalarInRows.hpp>
#include <poputil/exceptions.hpp>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;

namespace {

// NaNs as a number that is none of the values.
Values told(Values values) {
  for (double& v : values) v = std::isnan(v) ? 1e9 : v;
  return values;
}

Values random_values(OnModel& on, std::size_t n) {
  Values out(n);
  for (double& v : out) v = static_cast<double>(on.random() % 1000) / 4 - 100;
  return out;
}

}  // namespace

TEST_CASE("A scalar of each row is read and made smaller") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (int i = 0; i < rounds(24); ++i) {
    const Type type = i % 2 == 0 ? FLOAT : HALF;
    const std::size_t rows = 1 + on.random() % 30, width = 1 + on.random() % 20;
    const Values values = random_values(on, rows * width);
    Values indices(rows), selected(rows), updated = values;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t index = on.random() % (width + 2);
      const bool masked = on.random() % 5 == 0;
      indices[r] = masked ? MASKED_LABEL_CODE : static_cast<double>(index);
      if (masked) continue;
      selected[r] = index < width ? values[r * width + index] : 1e9;
      for (std::size_t c = 0; c < width; ++c) {
        double& v = updated[r * width + c];
        if (index >= width) v = 1e9;
        if (index == c) v = rounded(type, v - 1);
      }
    }
    const std::string name = std::to_string(i);
    Tensor params = on.tensor(type, {rows, width}, values, "params " + name);
    if (i % 5 == 4) {  // columns in memory
      params = on.graph.addVariable(type, {width, rows}, "columns").transpose();
      on.spread(params.transpose());
      on.write(params, values);
    }
    const Tensor which = on.tensor(UNSIGNED_INT, {rows}, indices, "indices " + name);
    on.read(popops::selectScalarFromRows(on.graph, params, which, prog, "select"), "selected " + name);
    popops::updateScalarInRows(on.graph, params, which, prog, "update");
    on.read(params, "updated " + name);
    expected["selected " + name] = selected;
    expected["updated " + name] = updated;
  }
  for (const auto& got : on.run(prog)) {
    INFO(got.first);
    CHECK(told(got.second) == expected.at(got.first));
  }
}

TEST_CASE("Sequences of rows are copied as far as there are rows") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (int i = 0; i < rounds(30); ++i) {
    const Type type = i % 3 == 0 ? FLOAT : i % 3 == 1 ? HALF : UNSIGNED_CHAR;
    const std::size_t columns = 1 + on.random() % 9, from = 1 + on.random() % 20, to = 1 + on.random() % 20;
    const std::size_t n = on.random() % 5 + 1;
    const bool zero = on.random() % 2 == 0;
    Values source(from * columns), target(to * columns), lengths(n), at(n), into(n);
    for (double& v : source) v = static_cast<double>(on.random() % 100);
    for (double& v : target) v = static_cast<double>(100 + on.random() % 100);
    Values out = zero ? Values(target.size()) : target;
    for (std::size_t s = 0; s < n; ++s) {
      const std::size_t length = on.random() % 8, source_at = on.random() % (from + 2),
                        target_at = on.random() % (to + 2);
      lengths[s] = static_cast<double>(length);
      at[s] = static_cast<double>(source_at);
      into[s] = static_cast<double>(target_at);
      for (std::size_t k = 0; k < length && source_at + k < from && target_at + k < to; ++k)
        for (std::size_t c = 0; c < columns; ++c)
          out[(target_at + k) * columns + c] = source[(source_at + k) * columns + c];
    }
    const std::string name = std::to_string(i);
    const Tensor result = on.tensor(type, {to, columns, 1}, target, "to " + name);
    popops::sequenceSlice(on.graph, on.tensor(type, {from, columns}, source, "from " + name), result,
                          on.tensor(UNSIGNED_INT, {n}, lengths, "n " + name), on.tensor(INT, {n}, at, "at " + name),
                          on.tensor(UNSIGNED_INT, {n}, into, "into " + name), zero, prog, "sequences");
    on.read(result, name);
    expected[name] = out;
  }
  CHECK(on.run(prog) == expected);
}

TEST_CASE("What scalars and sequences of rows cannot do is said") {
  OnModel on;
  Sequence prog;
  Graph& graph = on.graph;
  const Tensor params = on.tensor(FLOAT, {3, 4}, Values(12), "params");
  const Tensor ints = on.tensor(INT, {3, 4}, Values(12), "ints");
  const Tensor indices = on.tensor(UNSIGNED_INT, {3}, Values(3), "indices");
  CHECK_THROWS_AS(popops::selectScalarFromRows(graph, ints, indices, prog), poputil::poplibs_error);
  CHECK_THROWS_WITH(popops::selectScalarFromRows(graph, ints, indices, prog),
                    ContainsText("'ints' of shape {3,4}: of type int, not a matrix"));
  CHECK_THROWS_WITH(popops::selectScalarFromRows(graph, params[0], indices, prog), ContainsText("not a matrix"));
  CHECK_THROWS_WITH(popops::updateScalarInRows(graph, params, indices.slice(0, 2), prog),
                    ContainsText("not an unsigned int for each of 3 rows"));
  CHECK_THROWS_WITH(popops::updateScalarInRows(graph, params, ints.transpose()[0], prog), ContainsText("of type int"));
  const auto sequence = [&](const Tensor& in, const Tensor& out, const Tensor& n, const Tensor& at) {
    popops::sequenceSlice(graph, in, out, n, at, at, false, prog);
  };
  CHECK_THROWS_WITH(sequence(params, ints, indices, indices), ContainsText("its rows are not those of 'ints'"));
  CHECK_THROWS_WITH(sequence(params, params.slice(0, 3, 1), indices, indices), ContainsText("its rows are not those"));
  CHECK_THROWS_WITH(sequence(params[0], params, indices, indices), ContainsText("its rows are not those"));
  CHECK_THROWS_WITH(sequence(params, params, indices, indices.slice(0, 2)),
                    ContainsText("not a vector of as many elements as 'indices'"));
  CHECK_THROWS_WITH(sequence(params, params, params[0], indices), ContainsText("'params' are of type float"));
  CHECK_THROWS_WITH(sequence(params, params[0].expand({0}).broadcast(2, 0), indices, indices),
                    ContainsText("constant or repeated"));
}
