// The operators of element-wise expressions.
#pragma once

namespace popops {
namespace expr {

enum class TernaryOpType { CLAMP, SELECT };

enum class BinaryOpType {
  ADD,
  ATAN2,
  BITWISE_AND,
  BITWISE_OR,
  BITWISE_XOR,
  BITWISE_XNOR,
  DIVIDE,
  EQUAL,
  GREATER_THAN_EQUAL,
  GREATER_THAN,
  INV_STD_DEV_TO_VARIANCE,  // 1 / a^2 - b
  LESS_THAN_EQUAL,
  LOGICAL_AND,
  LOGICAL_OR,
  LESS_THAN,
  MAXIMUM,
  MINIMUM,
  MULTIPLY,
  NOT_EQUAL,
  POWER,
  REMAINDER,  // of the division that rounds towards zero
  SHIFT_LEFT,
  SHIFT_RIGHT,              // with zeros
  SHIFT_RIGHT_SIGN_EXTEND,  // with the sign
  SUBTRACT,
  VARIANCE_TO_INV_STD_DEV  // 1 / sqrt(a + b)
};

enum class UnaryOpType {
  ABSOLUTE,
  ASIN,
  BITWISE_NOT,
  CBRT,
  CEIL,
  COS,
  COUNT_LEADING_ZEROS,
  ERF,
  EXPONENT,
  EXPONENT_MINUS_ONE,
  EXPONENT2,
  FLOOR,
  GELU_ERF,  // a * (1 + erf(a / sqrt(2))) / 2
  INVERSE,
  IS_FINITE,
  IS_INF,
  IS_NAN,
  LOGARITHM,
  LOGARITHM_ONE_PLUS,
  LOGICAL_NOT,
  NEGATE,
  NEARBY_INT,  // to even where two are as near
  POPCOUNT,
  RELU,
  SIGNUM,
  SIN,
  TAN,
  TANH,
  ROUND,  // away from zero where two are as near
  SQRT,
  SQUARE,
  SIGMOID,
  RSQRT,
  TRUNC
};

}  // namespace expr
}  // namespace popops
