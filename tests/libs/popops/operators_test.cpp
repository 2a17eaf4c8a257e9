// Every operator on every type it takes, against the host's double arithmetic: integers exactly, floats within the
// bounds of docs/user/libraries.md.
#include <cmath>
#include <popops/ElementWise.hpp>
#include <sstream>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using popops::expr::TernaryOpType;
namespace expr = popops::expr;

namespace {

struct Unary {
  UnaryOpType op;
  double low, high;  // of the operands
};

const std::vector<Unary> kFloatUnary = {
    {UnaryOpType::ABSOLUTE, -100, 100},   {UnaryOpType::ASIN, -1, 1},
    {UnaryOpType::CBRT, -100, 100},       {UnaryOpType::CEIL, -100, 100},
    {UnaryOpType::COS, -20, 20},          {UnaryOpType::ERF, -4, 4},
    {UnaryOpType::EXPONENT, -8, 8},       {UnaryOpType::EXPONENT_MINUS_ONE, -8, 8},
    {UnaryOpType::EXPONENT2, -8, 8},      {UnaryOpType::FLOOR, -100, 100},
    {UnaryOpType::GELU_ERF, -2, 4},       {UnaryOpType::INVERSE, 0.1, 100},
    {UnaryOpType::LOGARITHM, 0.1, 100},   {UnaryOpType::LOGARITHM_ONE_PLUS, -0.5, 100},
    {UnaryOpType::NEARBY_INT, -100, 100}, {UnaryOpType::NEGATE, -100, 100},
    {UnaryOpType::RELU, -100, 100},       {UnaryOpType::ROUND, -100, 100},
    {UnaryOpType::RSQRT, 0.1, 100},       {UnaryOpType::SIGMOID, -8, 8},
    {UnaryOpType::SIGNUM, -2, 2},         {UnaryOpType::SIN, -20, 20},
    {UnaryOpType::SQRT, 0, 100},          {UnaryOpType::SQUARE, -10, 10},
    {UnaryOpType::TAN, -1.5, 1.5},        {UnaryOpType::TANH, -4, 4},
    {UnaryOpType::TRUNC, -100, 100},      {UnaryOpType::IS_FINITE, -100, 100},
    {UnaryOpType::IS_INF, -100, 100},     {UnaryOpType::IS_NAN, -100, 100},
};

struct Binary {
  BinaryOpType op;
  double low, high;
};

const std::vector<Binary> kFloatBinary = {
    {BinaryOpType::ADD, -100, 100},
    {BinaryOpType::ATAN2, -100, 100},
    {BinaryOpType::DIVIDE, 0.5, 100},
    {BinaryOpType::EQUAL, 0, 3},
    {BinaryOpType::GREATER_THAN, 0, 3},
    {BinaryOpType::GREATER_THAN_EQUAL, 0, 3},
    {BinaryOpType::INV_STD_DEV_TO_VARIANCE, 0.1, 0.9},
    {BinaryOpType::LESS_THAN, 0, 3},
    {BinaryOpType::LESS_THAN_EQUAL, 0, 3},
    {BinaryOpType::MAXIMUM, -100, 100},
    {BinaryOpType::MINIMUM, -100, 100},
    {BinaryOpType::MULTIPLY, -10, 10},
    {BinaryOpType::NOT_EQUAL, 0, 3},
    {BinaryOpType::POWER, 0.5, 4},
    {BinaryOpType::REMAINDER, 0.5, 100},
    {BinaryOpType::SUBTRACT, -100, 100},
    {BinaryOpType::VARIANCE_TO_INV_STD_DEV, 0.1, 10},
};

// "" or what is wrong with a result.
std::string wrong(Type type, double got, const Exact& right) {
  return compare({type, {}, {right.value}, {right.slack}}, {got});
}

// All expressions are compiled in one go.
class Operators : public OnModel {
 public:
  struct Case {
    expr::Any expression;
    std::vector<Tensor> inputs;
    std::string handle;
  };

  void add(const expr::Expr& expression, const std::vector<Tensor>& inputs, const std::string& handle) {
    cases_.push_back({expression, inputs, handle});
  }
  std::map<std::string, Values> results() {
    std::stringstream source;
    for (const Case& c : cases_) popops::outputGeneratedCodelet(graph.getTarget(), c.expression, c.inputs, {}, source);
    graph.addCodelets(source);
    Sequence prog;
    for (const Case& c : cases_) read(popops::map(graph, c.expression, c.inputs, prog, c.handle), c.handle);
    return run(prog);
  }
  Values values(Type type, double low, double high, std::size_t n) {
    Values out(n);
    std::uniform_real_distribution<double> between(low, high);
    for (double& v : out) v = rounded(type, between(random));
    return out;
  }

 private:
  std::vector<Case> cases_;
};

constexpr std::size_t kElements = 97;

}  // namespace

TEST_CASE_METHOD(Operators, "operators on floats") {
  const Type type = GENERATE(FLOAT, HALF);
  std::map<std::string, Values> x, y;
  const auto input = [&](std::map<std::string, Values>& kept, const std::string& name, double low, double high) {
    Values& v = kept[name] = values(type, low, high, kElements);
    if (&kept == &y) v[5] = x[name][5];  // equal ones are rare
    return tensor(type, {kElements}, v, name);
  };
  for (const Unary& u : kFloatUnary) {
    const std::string name = "unary " + std::to_string(static_cast<int>(u.op));
    add(expr::UnaryOp(u.op, expr::_1), {input(x, name, u.low, u.high)}, name);
  }
  for (const Binary& b : kFloatBinary) {
    const std::string name = "binary " + std::to_string(static_cast<int>(b.op));
    const Tensor left = input(x, name, b.low, b.high);
    add(expr::BinaryOp(b.op, expr::_1, expr::_2), {left, input(y, name, b.low, b.high)}, name);
  }
  const auto got = results();
  for (const Unary& u : kFloatUnary) {
    const std::string name = "unary " + std::to_string(static_cast<int>(u.op));
    for (std::size_t i = 0; i < kElements; ++i) {
      CAPTURE(name, type, x[name][i]);
      CHECK(wrong(type, got.at(name)[i], unary(u.op, type, x[name][i])) == "");
    }
  }
  for (const Binary& b : kFloatBinary) {
    const std::string name = "binary " + std::to_string(static_cast<int>(b.op));
    for (std::size_t i = 0; i < kElements; ++i) {
      CAPTURE(name, type, x[name][i], y[name][i]);
      CHECK(wrong(type, got.at(name)[i], binary(b.op, type, x[name][i], y[name][i])) == "");
    }
  }
}

TEST_CASE_METHOD(Operators, "Functions of halves are within their bounds on all halves") {
  constexpr std::size_t kHalves = 65536;
  const Tensor t = graph.addVariable(HALF, {kHalves}, "all");
  for (unsigned tile = 0; tile < kTiles; ++tile)
    graph.setTileMapping(t.slice(tile * kHalves / kTiles, (tile + 1) * kHalves / kTiles), tile);
  std::vector<std::uint16_t> bits(kHalves);
  for (std::size_t i = 0; i < kHalves; ++i) bits[i] = static_cast<std::uint16_t>(i);
  graph.setInitialValueHalf(t, ArrayRef<std::uint16_t>(bits));
  read(t, "x");
  Sequence prog;
  const auto add = [&](UnaryOpType op, const Tensor& of, const std::string& name) {
    read(popops::map(graph, expr::UnaryOp(op, expr::_1), {of}, prog, name), name);
  };
  const std::vector<UnaryOpType> functions = {
      UnaryOpType::COS,      UnaryOpType::ERF,     UnaryOpType::EXPONENT_MINUS_ONE,
      UnaryOpType::GELU_ERF, UnaryOpType::INVERSE, UnaryOpType::LOGARITHM_ONE_PLUS,
      UnaryOpType::SIN};
  // Some: the last one is an element alone.
  const Tensor few = t.slice(0, 0xBC01);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    add(functions[f], t, std::to_string(f));
    add(functions[f], few, "some " + std::to_string(f));
  }
  const auto got = run(prog);
  const Values& x = got.at("x");
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Values &all = got.at(std::to_string(f)), &some = got.at("some " + std::to_string(f));
    Expected right{HALF, {kHalves}, {}, {}};
    bool same = true;
    for (std::size_t i = 0; i < kHalves; ++i) {
      const Exact exact = unary(functions[f], HALF, x[i]);
      right.values.push_back(exact.value);
      right.slack.push_back(exact.slack);
      same = same && (i >= some.size() || some[i] == all[i] || std::isnan(some[i]));
    }
    CAPTURE(functions[f]);
    CHECK(compare(right, all) == "");
    CHECK(same);
  }
}

namespace {

const std::vector<UnaryOpType> kIntegerUnary = {
    UnaryOpType::ABSOLUTE, UnaryOpType::BITWISE_NOT, UnaryOpType::COUNT_LEADING_ZEROS,
    UnaryOpType::NEGATE,   UnaryOpType::POPCOUNT,    UnaryOpType::RELU,
    UnaryOpType::SIGNUM,   UnaryOpType::SQUARE};
const std::vector<BinaryOpType> kIntegerBinary = {BinaryOpType::ADD,
                                                  BinaryOpType::BITWISE_AND,
                                                  BinaryOpType::BITWISE_OR,
                                                  BinaryOpType::BITWISE_XNOR,
                                                  BinaryOpType::BITWISE_XOR,
                                                  BinaryOpType::DIVIDE,
                                                  BinaryOpType::EQUAL,
                                                  BinaryOpType::GREATER_THAN,
                                                  BinaryOpType::GREATER_THAN_EQUAL,
                                                  BinaryOpType::LESS_THAN,
                                                  BinaryOpType::LESS_THAN_EQUAL,
                                                  BinaryOpType::MAXIMUM,
                                                  BinaryOpType::MINIMUM,
                                                  BinaryOpType::MULTIPLY,
                                                  BinaryOpType::NOT_EQUAL,
                                                  BinaryOpType::POWER,
                                                  BinaryOpType::REMAINDER,
                                                  BinaryOpType::SHIFT_LEFT,
                                                  BinaryOpType::SHIFT_RIGHT,
                                                  BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND,
                                                  BinaryOpType::SUBTRACT};

// What the second operand may be.
std::pair<double, double> limits(BinaryOpType op, double low, double high) {
  switch (op) {
    case BinaryOpType::SHIFT_LEFT:
    case BinaryOpType::SHIFT_RIGHT:
    case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
      return {0, 7};
    case BinaryOpType::POWER:
      return {0, 5};
    case BinaryOpType::DIVIDE:
    case BinaryOpType::REMAINDER:
      return {1, high};
    default:
      return {low, high};
  }
}

}  // namespace

TEST_CASE_METHOD(Operators, "operators on integers") {
  const Type type = GENERATE(INT, UNSIGNED_INT, SHORT, UNSIGNED_SHORT, SIGNED_CHAR, UNSIGNED_CHAR);
  const auto [low, high] = with_type(type, [](auto t) {
    using T = decltype(t);
    return std::make_pair(to_double(std::numeric_limits<T>::lowest()), to_double(std::numeric_limits<T>::max()));
  });
  std::map<std::string, Values> x, y;
  for (const UnaryOpType op : kIntegerUnary) {
    const std::string name = "unary " + std::to_string(static_cast<int>(op));
    x[name] = values(type, low, high, kElements);
    x[name][0] = 0;
    add(expr::UnaryOp(op, expr::_1), {tensor(type, {kElements}, x[name], name)}, name);
  }
  for (const BinaryOpType op : kIntegerBinary) {
    const std::string name = "binary " + std::to_string(static_cast<int>(op));
    const auto second = limits(op, low, high);
    x[name] = values(type, low, high, kElements);
    y[name] = values(type, second.first, second.second, kElements);
    y[name][5] = std::min(second.second, std::max(second.first, x[name][5]));
    add(expr::BinaryOp(op, expr::_1, expr::_2),
        {tensor(type, {kElements}, x[name], name), tensor(type, {kElements}, y[name], name + " y")}, name);
  }
  const auto got = results();
  for (const UnaryOpType op : kIntegerUnary) {
    const std::string name = "unary " + std::to_string(static_cast<int>(op));
    for (std::size_t i = 0; i < kElements; ++i) {
      CAPTURE(name, type, x[name][i]);
      CHECK(got.at(name)[i] == unary(op, type, x[name][i]).value);
    }
  }
  for (const BinaryOpType op : kIntegerBinary) {
    const std::string name = "binary " + std::to_string(static_cast<int>(op));
    for (std::size_t i = 0; i < kElements; ++i) {
      CAPTURE(name, type, x[name][i], y[name][i]);
      CHECK(got.at(name)[i] == binary(op, type, x[name][i], y[name][i]).value);
    }
  }
}

TEST_CASE_METHOD(Operators, "operators on booleans, and those of three operands") {
  const Values a = values(INT, 0, 1.99, kElements), b = values(INT, 0, 1.99, kElements);
  const Tensor p = tensor(BOOL, {kElements}, a, "p"), q = tensor(BOOL, {kElements}, b, "q");
  const Values f = values(FLOAT, -10, 10, kElements), g = values(FLOAT, -10, 10, kElements);
  const Tensor x = tensor(FLOAT, {kElements}, f, "x"), y = tensor(FLOAT, {kElements}, g, "y");
  add(!expr::_1, {p}, "not");
  add(expr::_1 && expr::_2, {p, q}, "and");
  add(expr::_1 || expr::_2, {p, q}, "or");
  add(expr::_1 == expr::_2, {p, q}, "equal");
  add(expr::_1 > expr::_2, {p, q}, "greater");
  add(expr::Select(expr::_1, expr::_2, expr::_3), {x, y, p}, "select");
  add(expr::Select(expr::_1, expr::Const(2.0f), expr::_1 > expr::_2), {x, y}, "select more");
  add(expr::Clamp(expr::_1, expr::Const(-1.0f), expr::_2), {x, y}, "clamp");
  const auto got = results();
  for (std::size_t i = 0; i < kElements; ++i) {
    CAPTURE(i, a[i], b[i], f[i], g[i]);
    CHECK(got.at("not")[i] == !a[i]);
    CHECK(got.at("and")[i] == (a[i] && b[i]));
    CHECK(got.at("or")[i] == (a[i] || b[i]));
    CHECK(got.at("equal")[i] == (a[i] == b[i]));
    CHECK(got.at("greater")[i] == (a[i] > b[i]));
    CHECK(got.at("select")[i] == (a[i] ? f[i] : g[i]));
    CHECK(got.at("select more")[i] == (f[i] > g[i] ? f[i] : 2));
    CHECK(got.at("clamp")[i] == std::min(std::max(f[i], -1.0), g[i]));
  }
}
