// Reductions of random tensors, mappings and dimensions, against sums by hand; integers and small floats exactly.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <poplar/CSRFunctions.hpp>
#include <popops/AllTrue.hpp>
#include <popops/NaN.hpp>
#include <popops/Reduce.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using popops::Operation;
using popops::ReduceParams;
using Shape = std::vector<std::size_t>;

namespace {

class Reducing : public OnModel {
 public:
  // Values whose sums and products stay exact.
  Values values(Type type, Operation op, std::size_t n) {
    Values out(n);
    for (double& v : out) {
      if (type == BOOL)
        v = op == Operation::LOGICAL_AND ? random() % 8 != 0 : random() % 8 == 0;
      else if (op == Operation::MUL)
        v = random() % 4 == 0 ? -1 : 1;
      else if (op == Operation::LOG_ADD)
        v = static_cast<double>(random() % 100) / 25;
      else
        v = static_cast<double>(random() % 9) - (type == UNSIGNED_INT ? 0 : 4);
    }
    return out;
  }
};

double neutral(Operation op, Type type) {
  const auto limit = [&](bool highest) {
    return with_type(type, [&](auto t) -> double {
      using T = decltype(t);
      if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float>)
        return highest ? INFINITY : -INFINITY;
      else
        return highest ? to_double(std::numeric_limits<T>::max()) : to_double(std::numeric_limits<T>::lowest());
    });
  };
  switch (op) {
    case Operation::MUL:
    case Operation::LOGICAL_AND:
      return 1;
    case Operation::MIN:
      return limit(true);
    case Operation::MAX:
      return limit(false);
    case Operation::LOG_ADD:
      return -INFINITY;
    default:
      return 0;
  }
}

double join(Operation op, double a, double b) {
  switch (op) {
    case Operation::ADD:
      return a + b;
    case Operation::MUL:
      return a * b;
    case Operation::MIN:
      return std::min(a, b);
    case Operation::MAX:
      return std::max(a, b);
    case Operation::LOGICAL_AND:
      return a != 0 && b != 0;
    case Operation::LOGICAL_OR:
      return a != 0 || b != 0;
    case Operation::SQUARE_ADD:
      return a + b * b;
    case Operation::LOG_ADD:
      return std::log(std::exp(a) + std::exp(b));
  }
  return 0;
}

Values by_hand(Operation op, Type type, const Values& in, const Shape& shape, const std::vector<std::size_t>& dims) {
  std::size_t n = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) n *= std::count(dims.begin(), dims.end(), d) != 0 ? 1 : shape[d];
  Values out(n, neutral(op, type));
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::size_t rest = i, at = 0, stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      const std::size_t coordinate = rest % shape[d];
      rest /= shape[d];
      if (std::count(dims.begin(), dims.end(), d) != 0) continue;
      at += coordinate * stride;
      stride *= shape[d];
    }
    out[at] = join(op, out[at], in[i]);
  }
  return out;
}

}  // namespace

TEST_CASE_METHOD(Reducing, "random reductions") {
  struct Case {
    Values right;
    std::string handle;
    Operation op;
  };
  std::vector<Case> cases;
  Sequence prog;
  for (int i = 0; i < rounds(150); ++i) {
    const Operation op = static_cast<Operation>(random() % 8);
    const bool logical = op == Operation::LOGICAL_AND || op == Operation::LOGICAL_OR;
    const Type type = logical                    ? BOOL
                      : op == Operation::LOG_ADD ? FLOAT
                                                 : std::vector<Type>{FLOAT, HALF, INT}[random() % 3];
    Shape shape;
    for (unsigned rank = 1 + random() % 4; rank-- > 0;) shape.push_back(random() % 12 == 0 ? 0 : 1 + random() % 9);
    if (random() % 10 == 0) shape = {random() % 2000};
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (random() % 2 == 0) dims.push_back(d);
    }
    std::shuffle(dims.begin(), dims.end(), random);
    const std::string name = std::to_string(i);
    const Values in =
        values(type, op, std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>()));
    Tensor t = tensor(type, shape, in, "in" + name);
    if (random() % 3 == 0) graph.setTileMapping(t, 1);
    const Type out_type = type == HALF && random() % 2 == 0 ? FLOAT : type;
    CAPTURE(i, type, shape, dims, static_cast<int>(op));
    Values right = by_hand(op, type, in, shape, dims);
    Tensor out;
    if (random() % 3 == 0) {
      Shape left;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        if (std::count(dims.begin(), dims.end(), d) == 0) left.push_back(shape[d]);
      }
      const bool sum = op == Operation::ADD || op == Operation::SQUARE_ADD;
      const bool update = sum && random() % 2 == 0;
      const Values before = values(out_type, Operation::ADD, right.size());
      out = tensor(out_type, left, before, "out" + name);
      ReduceParams params(op, update);
      if (sum && type != INT && random() % 2 == 0) {
        params = ReduceParams(op, update, tensor(FLOAT, {}, {2}, "scale" + name));
        for (double& v : right) v *= 2;
      }
      for (std::size_t k = 0; update && k < right.size(); ++k) right[k] += before[k];
      popops::reduceWithOutput(graph, t, out, dims, params, prog, "reduce" + name);
    } else {
      out = popops::reduce(graph, t, out_type, dims, op, prog, "reduce" + name);
    }
    REQUIRE(out.numElements() == right.size());
    REQUIRE(out.elementType() == out_type);
    if (right.empty()) continue;
    read(out, name);
    cases.push_back({right, name, op});
  }
  const auto got = run(prog);
  CHECK(cases.size() > static_cast<std::size_t>(rounds(110)));
  for (const Case& c : cases) {
    CAPTURE(c.handle, static_cast<int>(c.op));
    if (c.op != Operation::LOG_ADD) {
      CHECK(got.at(c.handle) == c.right);
      continue;
    }
    for (std::size_t k = 0; k < c.right.size(); ++k) CHECK(got.at(c.handle)[k] == Approx(c.right[k]).epsilon(1e-5));
  }
}

// Rows of halves that lie one after another are summed by the matrix engine, which gives what sums in float give: in
// every column, whatever there is in others.
TEST_CASE_METHOD(Reducing, "sums of rows of halves are those of floats") {
  struct Case {
    Values right;
    std::string handle;
  };
  std::vector<Case> cases;
  Sequence prog;
  const std::vector<std::pair<std::size_t, std::size_t>> shapes = {{2, 256}, {7, 72},  {15, 76},
                                                                   {4, 80},  {3, 552}, {33, 84}};
  for (const auto& [rows, columns] : shapes) {
    for (const Type& out_type : {HALF, FLOAT}) {
      const bool finite = cases.size() % 3 != 0;
      Values in(rows * columns), right(columns);
      for (double& v : in)
        v = rounded(HALF,
                    std::ldexp(static_cast<double>(random() % 4096) - 2048, -3 - static_cast<int>(random() % 12)));
      if (!finite) {
        in[5] = INFINITY;
        in[columns + 17] = -INFINITY;
        in[columns - 1] = INFINITY;
        in[2 * columns - 1] = -INFINITY;
        in[columns + 30] = NAN;
      }
      for (std::size_t c = 0; c < columns; ++c) {
        float sum = 0;
        for (std::size_t r = 0; r < rows; ++r) sum += static_cast<float>(in[r * columns + c]);
        right[c] = rounded(out_type, sum);
      }
      const std::string name = std::to_string(cases.size());
      const Tensor t = graph.addVariable(HALF, {rows, columns}, "rows" + name);
      graph.setTileMapping(t, static_cast<unsigned>(cases.size() % kTiles));
      write(t, in);
      read(popops::reduce(graph, t, out_type, {0}, Operation::ADD, prog, "sum" + name), name);
      cases.push_back({right, name});
    }
  }
  const auto got = run(prog);
  for (const Case& c : cases) {
    for (std::size_t i = 0; i < c.right.size(); ++i) {
      CAPTURE(c.handle, i, got.at(c.handle)[i], c.right[i]);
      CHECK((got.at(c.handle)[i] == c.right[i] || (std::isnan(got.at(c.handle)[i]) && std::isnan(c.right[i]))));
    }
  }
}

TEST_CASE_METHOD(Reducing, "an infinity among rows of halves is no invalid operation") {
  Sequence prog;
  poplar::setFloatingPointBehaviour(graph, prog, FloatingPointBehaviour(true, true, true, false, false));
  const Tensor t = graph.addVariable(HALF, {8, 128}, "rows");
  graph.setTileMapping(t, 1);
  Values in(8 * 128, 0.5), right(128, 4);
  in[3 * 128 + 77] = right[77] = INFINITY;
  write(t, in);
  read(popops::reduce(graph, t, {0}, Operation::ADD, prog), "sums");
  CHECK(run(prog).at("sums") == right);
}

TEST_CASE_METHOD(Reducing, "many partial results are reduced in several steps") {
  // Every second element elsewhere: as many blocks as pairs.
  const std::size_t n = 600;
  const Tensor t = graph.addVariable(INT, {n}, "t");
  for (std::size_t i = 0; i < n; ++i) graph.setTileMapping(t[i], static_cast<unsigned>(i * 7 % kTiles));
  Values in(n);
  std::iota(in.begin(), in.end(), 0);
  write(t, in);
  std::vector<ComputeSet> css;
  const Tensor sum = popops::reduce(graph, t, {0}, Operation::ADD, css);
  CHECK(css.size() >= 2);
  Sequence prog;
  for (const ComputeSet cs : css) prog.add(Execute(cs));
  std::vector<Tensor> both;
  popops::reduceMany(graph, {{t, {0}, Operation::MAX, "max"}, {t.reshape({n / 4, 4}), {0}, Operation::MIN, INT, "min"}},
                     both, prog);
  REQUIRE(both.size() == 2);
  read(sum, "sum");
  read(both[0], "max");
  read(both[1], "min");
  const auto got = run(prog);
  CHECK(got.at("sum") == Values{n * (n - 1) / 2.0});
  CHECK(got.at("max") == Values{n - 1.0});
  CHECK(got.at("min") == Values{0, 1, 2, 3});
}

TEST_CASE_METHOD(Reducing, "questions about all elements") {
  Sequence prog;
  const auto ask = [&](const std::string& name, const Tensor& answer) {
    CHECK(answer.shape().empty());
    read(answer, name);
  };
  const Tensor yes = tensor(BOOL, {3, 3}, Values(9, 1), "yes"), no = tensor(BOOL, {5}, {1, 1, 0, 1, 1}, "no");
  const Tensor fine = tensor(FLOAT, {4}, {1, -2, 3, 0}, "fine"), nan = tensor(HALF, {3}, {1, NAN, 2}, "nan"),
               inf = tensor(FLOAT, {2, 2}, {1, 2, -INFINITY, 3}, "inf");
  ask("yes", popops::allTrue(graph, yes, prog));
  ask("no", popops::allTrue(graph, no, prog));
  ask("fine nan", popops::hasNaN(graph, fine, prog));
  ask("fine", popops::hasNaNOrInf(graph, fine, prog));
  ask("nan", popops::hasNaN(graph, nan, prog));
  ask("inf nan", popops::hasNaN(graph, inf, prog));
  ask("inf", popops::hasNaNOrInf(graph, inf, prog));
  const auto got = run(prog);
  CHECK(got.at("yes") == Values{1});
  CHECK(got.at("no") == Values{0});
  CHECK(got.at("fine nan") == Values{0});
  CHECK(got.at("fine") == Values{0});
  CHECK(got.at("nan") == Values{1});
  CHECK(got.at("inf nan") == Values{0});
  CHECK(got.at("inf") == Values{1});
}

TEST_CASE_METHOD(Reducing, "misuse of reductions is told") {
  Sequence prog;
  const Tensor f = tensor(FLOAT, {3, 2}, Values(6, 1), "f"), p = tensor(BOOL, {3}, Values(3, 1), "p"),
               i = tensor(INT, {3}, Values(3, 1), "i");
  using Catch::Matchers::ContainsText;
  CHECK_THROWS_WITH(popops::reduce(graph, f, {2}, Operation::ADD, prog), ContainsText("dimension 2 of 'f'"));
  const auto with = [&](const char* option, const char* value) {
    popops::reduce(graph, f, {0}, Operation::ADD, prog, {}, {{option, value}});
  };
  for (const char* option : {"accumType.interTile", "accumType.inVertex"}) {
    CHECK_NOTHROW(with(option, "float"));
    CHECK_THROWS_WITH(with(option, "half"), ContainsText(option) && ContainsText("half"));
  }
  CHECK_THROWS_WITH(with("accumType", "float"), ContainsText("'accumType'"));
  CHECK_THROWS_WITH(popops::reduce(graph, f, {1, 1}, Operation::ADD, prog), ContainsText("twice"));
  CHECK_THROWS_WITH(popops::reduce(graph, p, {0}, Operation::ADD, prog), ContainsText("ADD of 'p' of type bool"));
  CHECK_THROWS_WITH(popops::reduce(graph, f, {0}, Operation::LOGICAL_OR, prog), ContainsText("LOGICAL_OR of 'f'"));
  CHECK_THROWS_WITH(popops::reduce(graph, i, {0}, Operation::LOG_ADD, prog), ContainsText("LOG_ADD of 'i'"));
  CHECK_THROWS_WITH(popops::reduce(graph, f, {0}, ReduceParams(Operation::ADD, true), prog),
                    ContainsText("reduceWithOutput"));
  CHECK_THROWS_WITH(popops::reduce(graph, f, {0}, ReduceParams(Operation::MAX, false, f), prog),
                    ContainsText("MAX has neither"));
  CHECK_THROWS_WITH(popops::reduce(graph, f, {0}, ReduceParams(Operation::ADD, false, i), prog), ContainsText("'i'"));
  CHECK_THROWS_WITH(popops::reduceWithOutput(graph, f, p, {1}, Operation::ADD, prog), ContainsText("'p'"));
  CHECK_THROWS_WITH(popops::reduceWithOutput(graph, f, f.slice(0, 1, 1).reshape({3}), {1}, Operation::ADD, prog),
                    ContainsText("shares elements"));
  CHECK_THROWS_WITH(popops::reduceWithOutput(graph, f, f[0], {0, 1}, Operation::ADD, prog), ContainsText("shape"));
  CHECK_THROWS_AS(popops::reduce(graph, f, {0}, Operation::ADD, prog, {}, {{"no such", "1"}}), invalid_option);
  CHECK_THROWS_WITH(popops::allTrue(graph, f, prog), ContainsText("'f'"));
  std::vector<Tensor> outputs(3);
  CHECK_THROWS_WITH(popops::reduceMany(graph, {{f, {0}, Operation::ADD}}, outputs, prog),
                    ContainsText("3 outputs for 1"));
}

TEST_CASE("operations have names") {
  for (int op = 0; op < 8; ++op) {
    std::stringstream text;
    text << static_cast<Operation>(op);
    Operation back = Operation::ADD;
    text >> back;
    CHECK(static_cast<int>(back) == op);
  }
  std::istringstream wrong("SUM");
  Operation op = Operation::ADD;
  CHECK_THROWS_WITH(wrong >> op, Catch::Matchers::ContainsText("'SUM'"));
}
