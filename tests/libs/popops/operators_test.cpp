// Every operator on every type it takes, against the host's double arithmetic: integers exactly, floats within the
// units in the last place that the pages promise.
#include <cmath>
#include <functional>
#include <popops/ElementWise.hpp>
#include <sstream>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using popops::expr::BinaryOpType;
using popops::expr::TernaryOpType;
using popops::expr::UnaryOpType;
namespace expr = popops::expr;

namespace {

constexpr double kExact = 0;

struct Unary {
  UnaryOpType op;
  double low, high;  // of the operands
  double ulp;        // for floats
  std::function<double(double)> on_host;
};

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

const std::vector<Unary> kFloatUnary = {
    {UnaryOpType::ABSOLUTE, -100, 100, kExact, [](double x) { return std::fabs(x); }},
    {UnaryOpType::ASIN, -1, 1, 3, [](double x) { return std::asin(x); }},
    {UnaryOpType::CBRT, -100, 100, 1, [](double x) { return std::cbrt(x); }},
    {UnaryOpType::CEIL, -100, 100, kExact, [](double x) { return std::ceil(x); }},
    {UnaryOpType::COS, -20, 20, 2, [](double x) { return std::cos(x); }},
    {UnaryOpType::ERF, -4, 4, 2, [](double x) { return std::erf(x); }},
    {UnaryOpType::EXPONENT, -8, 8, 2, [](double x) { return std::exp(x); }},
    {UnaryOpType::EXPONENT_MINUS_ONE, -8, 8, 2, [](double x) { return std::expm1(x); }},
    {UnaryOpType::EXPONENT2, -8, 8, 2, [](double x) { return std::exp2(x); }},
    {UnaryOpType::FLOOR, -100, 100, kExact, [](double x) { return std::floor(x); }},
    {UnaryOpType::GELU_ERF, -2, 4, 12, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
    {UnaryOpType::INVERSE, 0.1, 100, 0.5, [](double x) { return 1 / x; }},
    {UnaryOpType::LOGARITHM, 0.1, 100, 2, [](double x) { return std::log(x); }},
    {UnaryOpType::LOGARITHM_ONE_PLUS, -0.5, 100, 2, [](double x) { return std::log1p(x); }},
    {UnaryOpType::NEARBY_INT, -100, 100, kExact, [](double x) { return std::nearbyint(x); }},
    {UnaryOpType::NEGATE, -100, 100, kExact, [](double x) { return -x; }},
    {UnaryOpType::RELU, -100, 100, kExact, [](double x) { return std::fmax(x, 0); }},
    {UnaryOpType::ROUND, -100, 100, kExact, [](double x) { return std::round(x); }},
    {UnaryOpType::RSQRT, 0.1, 100, 2, [](double x) { return 1 / std::sqrt(x); }},
    {UnaryOpType::SIGMOID, -8, 8, 2, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {UnaryOpType::SIGNUM, -2, 2, kExact, sign},
    {UnaryOpType::SIN, -20, 20, 2, [](double x) { return std::sin(x); }},
    {UnaryOpType::SQRT, 0, 100, 0.5, [](double x) { return std::sqrt(x); }},
    {UnaryOpType::SQUARE, -10, 10, 0.5, [](double x) { return x * x; }},
    {UnaryOpType::TAN, -1.5, 1.5, 4, [](double x) { return std::tan(x); }},
    {UnaryOpType::TANH, -4, 4, 2, [](double x) { return std::tanh(x); }},
    {UnaryOpType::TRUNC, -100, 100, kExact, [](double x) { return std::trunc(x); }},
    {UnaryOpType::IS_FINITE, -100, 100, kExact, [](double x) { return std::isfinite(x); }},
    {UnaryOpType::IS_INF, -100, 100, kExact, [](double x) { return std::isinf(x); }},
    {UnaryOpType::IS_NAN, -100, 100, kExact, [](double x) { return std::isnan(x); }},
};

struct Binary {
  BinaryOpType op;
  double low, high;
  double ulp;
  std::function<double(double, double)> on_host;
};

const std::vector<Binary> kFloatBinary = {
    {BinaryOpType::ADD, -100, 100, 0.5, [](double x, double y) { return x + y; }},
    {BinaryOpType::ATAN2, -100, 100, 3, [](double x, double y) { return std::atan2(x, y); }},
    {BinaryOpType::DIVIDE, 0.5, 100, 0.5, [](double x, double y) { return x / y; }},
    {BinaryOpType::EQUAL, 0, 3, kExact, [](double x, double y) { return x == y; }},
    {BinaryOpType::GREATER_THAN, 0, 3, kExact, [](double x, double y) { return x > y; }},
    {BinaryOpType::GREATER_THAN_EQUAL, 0, 3, kExact, [](double x, double y) { return x >= y; }},
    {BinaryOpType::INV_STD_DEV_TO_VARIANCE, 0.1, 0.9, 8, [](double x, double y) { return 1 / (x * x) - y; }},
    {BinaryOpType::LESS_THAN, 0, 3, kExact, [](double x, double y) { return x < y; }},
    {BinaryOpType::LESS_THAN_EQUAL, 0, 3, kExact, [](double x, double y) { return x <= y; }},
    {BinaryOpType::MAXIMUM, -100, 100, kExact, [](double x, double y) { return std::fmax(x, y); }},
    {BinaryOpType::MINIMUM, -100, 100, kExact, [](double x, double y) { return std::fmin(x, y); }},
    {BinaryOpType::MULTIPLY, -10, 10, 0.5, [](double x, double y) { return x * y; }},
    {BinaryOpType::NOT_EQUAL, 0, 3, kExact, [](double x, double y) { return x != y; }},
    {BinaryOpType::POWER, 0.5, 4, 2, [](double x, double y) { return std::pow(x, y); }},
    {BinaryOpType::REMAINDER, 0.5, 100, kExact, [](double x, double y) { return std::fmod(x, y); }},
    {BinaryOpType::SUBTRACT, -100, 100, 0.5, [](double x, double y) { return x - y; }},
    {BinaryOpType::VARIANCE_TO_INV_STD_DEV, 0.1, 10, 3, [](double x, double y) { return 1 / std::sqrt(x + y); }},
};

// Distance in units of the last place of what the type holds next to `right`.
double distance(Type type, double got, double right) {
  if (std::isnan(right)) return std::isnan(got) ? 0 : INFINITY;
  if (got == right) return 0;
  const int digits = type == HALF ? 11 : 24, least = type == HALF ? -24 : -149;
  const int exponent = right == 0 ? least : std::max(std::ilogb(right) - digits + 1, least);
  return std::fabs(got - right) / std::ldexp(1.0, exponent);
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
      CAPTURE(name, type, x[name][i], got.at(name)[i], u.on_host(x[name][i]));
      // A half is computed in float where it has no instruction, and rounded once more.
      CHECK(distance(type, got.at(name)[i], u.on_host(x[name][i])) <= (u.ulp == kExact ? 0 : std::max(u.ulp, 0.501)));
    }
  }
  for (const Binary& b : kFloatBinary) {
    const std::string name = "binary " + std::to_string(static_cast<int>(b.op));
    for (std::size_t i = 0; i < kElements; ++i) {
      const double right = b.on_host(x[name][i], y[name][i]);
      CAPTURE(name, type, x[name][i], y[name][i], got.at(name)[i], right);
      CHECK(distance(type, got.at(name)[i], right) <= (b.ulp == kExact ? 0 : std::max(b.ulp, 0.501)));
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
  struct Function {
    UnaryOpType op;
    double ulp;
    std::function<double(double)> on_host;
  };
  const std::vector<Function> functions = {
      {UnaryOpType::COS, 0.6, [](double x) { return std::cos(x); }},
      {UnaryOpType::ERF, 0.7, [](double x) { return std::erf(x); }},
      {UnaryOpType::EXPONENT_MINUS_ONE, 0.51, [](double x) { return std::expm1(x); }},
      {UnaryOpType::GELU_ERF, 11.5, [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }},
      {UnaryOpType::INVERSE, 0.5, [](double x) { return 1 / x; }},
      {UnaryOpType::LOGARITHM_ONE_PLUS, 0.51, [](double x) { return std::log1p(x); }},
      {UnaryOpType::SIN, 0.6, [](double x) { return std::sin(x); }},
  };
  // Some: the last one is an element alone.
  const Tensor few = t.slice(0, 0xBC01);
  for (std::size_t f = 0; f < functions.size(); ++f) {
    add(functions[f].op, t, std::to_string(f));
    add(functions[f].op, few, "some " + std::to_string(f));
  }
  const auto got = run(prog);
  const Values& x = got.at("x");
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Values &all = got.at(std::to_string(f)), &some = got.at("some " + std::to_string(f));
    double worst = 0, at = 0;
    bool same = true;
    for (std::size_t i = 0; i < kHalves; ++i) {
      double right = functions[f].on_host(x[i]);
      if (std::fabs(right) >= 65520) right = std::copysign(INFINITY, right);
      const double far = distance(HALF, all[i], right);
      if (far > worst) at = x[i];
      worst = std::max(worst, far);
      same = same && (i >= some.size() || some[i] == all[i] || std::isnan(some[i]));
    }
    CAPTURE(functions[f].op, worst, at);
    CHECK(worst <= functions[f].ulp);
    CHECK(same);
  }
}

namespace {

// Integers of a type: what an operator of C++ gives, wrapped to the type.
template <class T>
struct OnHost {
  using U = std::make_unsigned_t<T>;
  static T power(T x, T y) {
    U result = 1;
    for (T i = 0; i < y; ++i) result = static_cast<U>(result * static_cast<U>(x));
    return static_cast<T>(result);
  }
  static double unary(UnaryOpType op, T x) {
    switch (op) {
      case UnaryOpType::ABSOLUTE:
        return static_cast<T>(x < 0 ? -x : x);
      case UnaryOpType::BITWISE_NOT:
        return static_cast<T>(~x);
      case UnaryOpType::COUNT_LEADING_ZEROS: {
        int n = 0;
        for (int bit = 8 * sizeof(T) - 1; bit >= 0 && (static_cast<U>(x) >> bit & 1) == 0; --bit) ++n;
        return n;
      }
      case UnaryOpType::NEGATE:
        return static_cast<T>(-x);
      case UnaryOpType::POPCOUNT: {
        int n = 0;
        for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) n += static_cast<U>(x) >> bit & 1;
        return n;
      }
      case UnaryOpType::RELU:
        return x > 0 ? x : 0;
      case UnaryOpType::SIGNUM:
        return x > 0 ? 1 : x < 0 ? -1 : 0;
      case UnaryOpType::SQUARE:
        return static_cast<T>(static_cast<U>(x) * static_cast<U>(x));
      default:
        FAIL("no such operator on integers");
        return 0;
    }
  }
  static double binary(BinaryOpType op, T x, T y) {
    switch (op) {
      case BinaryOpType::ADD:
        return static_cast<T>(static_cast<U>(x) + static_cast<U>(y));
      case BinaryOpType::BITWISE_AND:
        return static_cast<T>(x & y);
      case BinaryOpType::BITWISE_OR:
        return static_cast<T>(x | y);
      case BinaryOpType::BITWISE_XNOR:
        return static_cast<T>(~(x ^ y));
      case BinaryOpType::BITWISE_XOR:
        return static_cast<T>(x ^ y);
      case BinaryOpType::DIVIDE:
        return static_cast<T>(x / y);
      case BinaryOpType::EQUAL:
        return x == y;
      case BinaryOpType::GREATER_THAN:
        return x > y;
      case BinaryOpType::GREATER_THAN_EQUAL:
        return x >= y;
      case BinaryOpType::LESS_THAN:
        return x < y;
      case BinaryOpType::LESS_THAN_EQUAL:
        return x <= y;
      case BinaryOpType::MAXIMUM:
        return std::max(x, y);
      case BinaryOpType::MINIMUM:
        return std::min(x, y);
      case BinaryOpType::MULTIPLY:
        return static_cast<T>(static_cast<U>(x) * static_cast<U>(y));
      case BinaryOpType::NOT_EQUAL:
        return x != y;
      case BinaryOpType::POWER:
        return power(x, y);
      case BinaryOpType::REMAINDER:
        return static_cast<T>(x % y);
      case BinaryOpType::SHIFT_LEFT:
        return static_cast<T>(static_cast<U>(x) << y);
      case BinaryOpType::SHIFT_RIGHT:
        return static_cast<T>(static_cast<U>(x) >> y);
      case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
        return static_cast<T>(static_cast<std::make_signed_t<T>>(x) >> y);
      case BinaryOpType::SUBTRACT:
        return static_cast<T>(static_cast<U>(x) - static_cast<U>(y));
      default:
        FAIL("no such operator on integers");
        return 0;
    }
  }
};

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
  with_type(type, [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      for (const UnaryOpType op : kIntegerUnary) {
        const std::string name = "unary " + std::to_string(static_cast<int>(op));
        for (std::size_t i = 0; i < kElements; ++i) {
          CAPTURE(name, type, x[name][i]);
          CHECK(got.at(name)[i] == OnHost<T>::unary(op, static_cast<T>(x[name][i])));
        }
      }
      for (const BinaryOpType op : kIntegerBinary) {
        const std::string name = "binary " + std::to_string(static_cast<int>(op));
        for (std::size_t i = 0; i < kElements; ++i) {
          CAPTURE(name, type, x[name][i], y[name][i]);
          CHECK(got.at(name)[i] == OnHost<T>::binary(op, static_cast<T>(x[name][i]), static_cast<T>(y[name][i])));
        }
      }
    }
  });
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
