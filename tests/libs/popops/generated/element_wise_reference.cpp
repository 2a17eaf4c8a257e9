#include "tests/libs/popops/generated/element_wise_reference.h"

#include <cmath>
#include <stdexcept>

#include "tests/libs/popops/generated/bounds.h"
#include "tests/libs/popops/generated/data.h"

namespace popops_test {

namespace {

unsigned bits_of(Type type) { return 8 * static_cast<unsigned>(size_of(type)); }

std::uint64_t bits(Type type, double x) {
  const auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
  return value & (~std::uint64_t{0} >> (64 - bits_of(type)));
}

unsigned ones(std::uint64_t value) {
  unsigned n = 0;
  for (; value != 0; value &= value - 1) ++n;
  return n;
}

unsigned width(std::uint64_t value) {
  unsigned n = 0;
  for (; value != 0; value >>= 1) ++n;
  return n;
}

// The exact result is itself rounded, to a double.
double slack(double ulp, Type type, double beside) {
  return ulp == 0 ? 0 : (ulp + 1e-6) * unit_in_last_place(type, beside);
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

double unary_of_floats(UnaryOpType op, double x) {
  switch (op) {
    case UnaryOpType::ABSOLUTE:
      return std::fabs(x);
    case UnaryOpType::ASIN:
      return std::asin(x);
    case UnaryOpType::CBRT:
      return std::cbrt(x);
    case UnaryOpType::CEIL:
      return std::ceil(x);
    case UnaryOpType::COS:
      return std::cos(x);
    case UnaryOpType::ERF:
      return std::erf(x);
    case UnaryOpType::EXPONENT:
      return std::exp(x);
    case UnaryOpType::EXPONENT_MINUS_ONE:
      return std::expm1(x);
    case UnaryOpType::EXPONENT2:
      return std::exp2(x);
    case UnaryOpType::FLOOR:
      return std::floor(x);
    case UnaryOpType::GELU_ERF:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case UnaryOpType::INVERSE:
      return 1 / x;
    case UnaryOpType::IS_FINITE:
      return std::isfinite(x);
    case UnaryOpType::IS_INF:
      return std::isinf(x);
    case UnaryOpType::IS_NAN:
      return std::isnan(x);
    case UnaryOpType::LOGARITHM:
      return std::log(x);
    case UnaryOpType::LOGARITHM_ONE_PLUS:
      return std::log1p(x);
    case UnaryOpType::NEARBY_INT:
      return std::nearbyint(x);
    case UnaryOpType::NEGATE:
      return -x;
    case UnaryOpType::RELU:
      return larger(x, 0);
    case UnaryOpType::ROUND:
      return std::round(x);
    case UnaryOpType::RSQRT:
      return 1 / std::sqrt(x);
    case UnaryOpType::SIGMOID:
      return 1 / (1 + std::exp(-x));
    case UnaryOpType::SIGNUM:
      return sign(x);
    case UnaryOpType::SIN:
      return std::sin(x);
    case UnaryOpType::SQRT:
      return std::sqrt(x);
    case UnaryOpType::SQUARE:
      return x * x;
    case UnaryOpType::TAN:
      return std::tan(x);
    case UnaryOpType::TANH:
      return std::tanh(x);
    case UnaryOpType::TRUNC:
      return std::trunc(x);
    default:
      throw std::invalid_argument("not of floats");
  }
}

double unary_of_integers(UnaryOpType op, Type type, double x) {
  const auto value = static_cast<__int128>(x);
  switch (op) {
    case UnaryOpType::ABSOLUTE:
      return wrapped(type, value < 0 ? -value : value);
    case UnaryOpType::BITWISE_NOT:
      return wrapped(type, ~value);
    case UnaryOpType::COUNT_LEADING_ZEROS:
      return bits_of(type) - width(bits(type, x));
    case UnaryOpType::LOGICAL_NOT:
      return x == 0;
    case UnaryOpType::NEGATE:
      return wrapped(type, -value);
    case UnaryOpType::POPCOUNT:
      return ones(bits(type, x));
    case UnaryOpType::RELU:
      return x > 0 ? x : 0;
    case UnaryOpType::SIGNUM:
      return x > 0 ? 1 : x < 0 ? -1 : 0;
    case UnaryOpType::SQUARE:
      return wrapped(type, value * value);
    default:
      throw std::invalid_argument("not of integers");
  }
}

double binary_of_floats(BinaryOpType op, double x, double y) {
  switch (op) {
    case BinaryOpType::ADD:
      return x + y;
    case BinaryOpType::ATAN2:
      return std::atan2(x, y);
    case BinaryOpType::DIVIDE:
      return x / y;
    case BinaryOpType::INV_STD_DEV_TO_VARIANCE:
      return 1 / (x * x) - y;
    case BinaryOpType::MAXIMUM:
      return larger(x, y);
    case BinaryOpType::MINIMUM:
      return smaller(x, y);
    case BinaryOpType::MULTIPLY:
      return x * y;
    case BinaryOpType::POWER:
      return std::pow(x, y);
    case BinaryOpType::REMAINDER:
      return std::fmod(x, y);
    case BinaryOpType::SUBTRACT:
      return x - y;
    case BinaryOpType::VARIANCE_TO_INV_STD_DEV:
      return 1 / std::sqrt(x + y);
    default:
      throw std::invalid_argument("not of floats");
  }
}

double binary_of_integers(BinaryOpType op, Type type, double x, double y) {
  const auto left = static_cast<__int128>(x), right = static_cast<__int128>(y);
  const auto count = static_cast<unsigned>(y);
  switch (op) {
    case BinaryOpType::ADD:
      return wrapped(type, left + right);
    case BinaryOpType::BITWISE_AND:
      return wrapped(type, left & right);
    case BinaryOpType::BITWISE_OR:
      return wrapped(type, left | right);
    case BinaryOpType::BITWISE_XNOR:
      return wrapped(type, ~(left ^ right));
    case BinaryOpType::BITWISE_XOR:
      return wrapped(type, left ^ right);
    case BinaryOpType::DIVIDE:
      return wrapped(type, left / right);
    case BinaryOpType::LOGICAL_AND:
      return x != 0 && y != 0;
    case BinaryOpType::LOGICAL_OR:
      return x != 0 || y != 0;
    case BinaryOpType::MAXIMUM:
      return x > y ? x : y;
    case BinaryOpType::MINIMUM:
      return x < y ? x : y;
    case BinaryOpType::MULTIPLY:
      return wrapped(type, left * right);
    case BinaryOpType::POWER: {
      double result = 1;
      for (unsigned i = 0; i < count; ++i) result = wrapped(type, static_cast<__int128>(result) * left);
      return result;
    }
    case BinaryOpType::REMAINDER:
      return wrapped(type, left % right);
    case BinaryOpType::SHIFT_LEFT:
      return wrapped(type, static_cast<__int128>(bits(type, x)) << count);
    case BinaryOpType::SHIFT_RIGHT:
      return wrapped(type, bits(type, x) >> count);
    case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND: {
      const std::uint64_t all = bits(type, x), sign_bit = std::uint64_t{1} << (bits_of(type) - 1);
      const __int128 value =
          static_cast<__int128>(all) - ((all & sign_bit) != 0 ? static_cast<__int128>(sign_bit) * 2 : 0);
      return wrapped(type, value >> count);
    }
    case BinaryOpType::SUBTRACT:
      return wrapped(type, left - right);
    default:
      throw std::invalid_argument("not of integers");
  }
}

}  // namespace

double wrapped(Type type, __int128 value) {
  const unsigned n = bits_of(type);
  const auto all = static_cast<__int128>(1) << n;
  __int128 low = value & (all - 1);
  if (lowest(type) < 0 && (low >> (n - 1)) != 0) low -= all;
  return static_cast<double>(static_cast<std::int64_t>(low));
}

double larger(double x, double y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == 0 && y == 0) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
double smaller(double x, double y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  return x < y ? x : y;
}

Exact unary(UnaryOpType op, Type type, double x) {
  if (!is_float(type)) return {unary_of_integers(op, type, x), 0};
  // Of halves these two do not keep the sign of a zero.
  const bool unsigned_zero = type == HALF && (op == UnaryOpType::SIN || op == UnaryOpType::LOGARITHM_ONE_PLUS);
  const double value = unsigned_zero && x == 0 ? 0 : unary_of_floats(op, x);
  // Of floats near 0 gelu is what is left of two numbers of the argument's size.
  const double beside = op == UnaryOpType::GELU_ERF && type == FLOAT ? x : value;
  return {value, slack(bound(name_of(op), type), type, beside)};
}

Exact binary(BinaryOpType op, Type type, double x, double y) {
  switch (op) {
    case BinaryOpType::EQUAL:
      return {x == y ? 1.0 : 0.0, 0};
    case BinaryOpType::GREATER_THAN:
      return {x > y ? 1.0 : 0.0, 0};
    case BinaryOpType::GREATER_THAN_EQUAL:
      return {x >= y ? 1.0 : 0.0, 0};
    case BinaryOpType::LESS_THAN:
      return {x < y ? 1.0 : 0.0, 0};
    case BinaryOpType::LESS_THAN_EQUAL:
      return {x <= y ? 1.0 : 0.0, 0};
    case BinaryOpType::NOT_EQUAL:
      return {x != y ? 1.0 : 0.0, 0};
    default:
      break;
  }
  if (!is_float(type)) return {binary_of_integers(op, type, x, y), 0};
  const double value = binary_of_floats(op, x, y);
  // A difference of rounded numbers is as far off as these.
  const double beside = op == BinaryOpType::INV_STD_DEV_TO_VARIANCE ? larger(1 / (x * x), y) : value;
  return {value, slack(bound(name_of(op), type), type, beside)};
}

const char* name_of(UnaryOpType op) {
  switch (op) {
#define UNARY_OPERATOR(op, name, function, operands, result, packed) \
  case UnaryOpType::op:                                              \
    return #op;
#include "sw/libs/popops/operators.def"
  }
  return "";
}
const char* name_of(BinaryOpType op) {
  switch (op) {
#define BINARY_OPERATOR(op, name, function, operands, result, packed) \
  case BinaryOpType::op:                                              \
    return #op;
#include "sw/libs/popops/operators.def"
  }
  return "";
}

Shape broadcast_shape(const Shape& a, const Shape& b) {
  Shape out = a.size() < b.size() ? b : a;
  const Shape& other = a.size() < b.size() ? a : b;
  for (std::size_t i = 1; i <= other.size(); ++i) {
    std::size_t& d = out[out.size() - i];
    if (d == 1) d = other[other.size() - i];
  }
  return out;
}

Expected map_elements(Type type, const Shape& shape, const std::vector<Elements>& operands,
                      const std::function<Exact(const Values&)>& f) {
  Expected out{type, shape, {}, {}};
  bool inexact = false;
  for (std::size_t i = 0; i < elements_of(shape); ++i) {
    Values values;
    for (const Elements& operand : operands) {
      std::size_t rest = i, at = 0, stride = 1;
      for (std::size_t d = 1; d <= operand.shape.size(); ++d) {
        const std::size_t size = shape[shape.size() - d], own = operand.shape[operand.shape.size() - d];
        if (own != 1) at += rest % size * stride;
        stride *= own;
        rest /= size;
      }
      values.push_back(operand.values[at]);
    }
    const Exact exact = f(values);
    out.values.push_back(exact.value);
    out.slack.push_back(exact.slack);
    inexact |= exact.slack != 0;
  }
  if (!inexact) out.slack.clear();
  return out;
}

}  // namespace popops_test
