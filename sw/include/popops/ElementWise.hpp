// Operations on the elements of tensors: any expression, and each operator by its name.
//
// Shapes are made to match by the rules of poputil::broadcastToMatch. All operands of an operator have one type; a
// number of C++ takes the type of the tensor beside it. Results are new tensors (createOutputForElementWiseOp), or go
// to the first tensor (...InPlace) or to a tensor of yours (...WithOutput), which then has the result's shape and type
// and no constant or repeated element. Misuse throws poputil::poplibs_error; an option that is not known
// poplar::invalid_option.
#pragma once

#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/Expr.hpp>
#include <popops/ExprOp.hpp>
#include <poputil/DebugInfo.hpp>

namespace poputil {
template <>
poplar::ProfileValue toProfileValue(const popops::expr::UnaryOpType& op);
template <>
poplar::ProfileValue toProfileValue(const popops::expr::BinaryOpType& op);
template <>
poplar::ProfileValue toProfileValue(const popops::expr::TernaryOpType& op);
}  // namespace poputil

namespace popops {

// Placeholder _n stands for ts[n - 1]. One vertex evaluates all of the expression.
poplar::Tensor map(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});
void mapInPlace(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});
void mapWithOutput(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                   const poplar::Tensor& out, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

// Several expressions over the same tensors. In place, results go to the first tensors, and every expression sees what
// was there before.
std::vector<poplar::Tensor> map(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                                const std::vector<poplar::Tensor>& ts, poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
void mapInPlace(poplar::Graph& graph, const std::vector<expr::Any>& exprs, const std::vector<poplar::Tensor>& ts,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});
void mapWithOutput(poplar::Graph& graph, const std::vector<expr::Any>& exprs, const std::vector<poplar::Tensor>& ts,
                   const std::vector<poplar::Tensor>& outs, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

// Writes the C++ of the vertices that map would use.
void outputGeneratedCodelet(const poplar::Target& target, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                            const poplar::OptionFlags& options, std::ostream& os);

// One operator.
inline poplar::Tensor map(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& t,
                          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  return map(graph, expr::UnaryOp(op, expr::_1), {t}, prog, debugContext, options);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  return map(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, prog, debugContext, options);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  return map(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& t,
                       poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
  mapInPlace(graph, expr::UnaryOp(op, expr::_1), {t}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
  mapInPlace(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a, const poplar::Tensor& b,
                       const poplar::Tensor& c, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  mapInPlace(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, prog, debugContext, options);
}
inline void mapWithOutput(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& in,
                          const poplar::Tensor& out, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  mapWithOutput(graph, expr::UnaryOp(op, expr::_1), {in}, out, prog, debugContext, options);
}
inline void mapWithOutput(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a, const poplar::Tensor& b,
                          const poplar::Tensor& out, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {
  mapWithOutput(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, out, prog, debugContext, options);
}
inline void mapWithOutput(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c, const poplar::Tensor& out,
                          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  mapWithOutput(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, out, prog, debugContext, options);
}

namespace detail {

template <class T>
using IfNumber = typename std::enable_if<poplar::TypeTraits::isSimpleType<T>()>::type;

// A number of C++, of any simple type.
struct Number {
  poplar::TypeTraits traits;
  std::vector<unsigned char> bytes;
  template <class T, class = IfNumber<T>>
  Number(T value) : traits(poplar::TypeTraits::make<T>()), bytes(sizeof(T)) {
    const unsigned char* from = reinterpret_cast<const unsigned char*>(&value);
    bytes.assign(from, from + sizeof(T));
  }
};

// An operator on a tensor and a number of the tensor's type, which every vertex holds. Throws poplibs_error for a
// number with a point beside a tensor of integers. An output that is not valid: a new one is made and given back.
poplar::Tensor mapNumber(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& t, const Number& number,
                         bool numberFirst, poplar::Tensor out, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext, const poplar::OptionFlags& options);

}  // namespace detail

#define POPOPS_UNARY(name, OP)                                                                                         \
  inline poplar::Tensor name(poplar::Graph& graph, const poplar::Tensor& A, poplar::program::Sequence& prog,           \
                             const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    return map(graph, expr::UnaryOpType::OP, A, prog, debugContext, options);                                          \
  }                                                                                                                    \
  inline void name##WithOutput(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& out,               \
                               poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},         \
                               const poplar::OptionFlags& options = {}) {                                              \
    mapWithOutput(graph, expr::UnaryOpType::OP, A, out, prog, debugContext, options);                                  \
  }
#define POPOPS_UNARY_IN_PLACE(name, OP)                                                                               \
  inline void name##InPlace(poplar::Graph& graph, const poplar::Tensor& A, poplar::program::Sequence& prog,           \
                            const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    mapInPlace(graph, expr::UnaryOpType::OP, A, prog, debugContext, options);                                         \
  }
// Each with two tensors, a tensor and a number, a number and a tensor.
#define POPOPS_BINARY(name, OP)                                                                                 \
  inline poplar::Tensor name(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,            \
                             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},    \
                             const poplar::OptionFlags& options = {}) {                                         \
    return map(graph, expr::BinaryOpType::OP, A, B, prog, debugContext, options);                               \
  }                                                                                                             \
  template <class T, class = detail::IfNumber<T>>                                                               \
  poplar::Tensor name(poplar::Graph& graph, const poplar::Tensor& A, T B, poplar::program::Sequence& prog,      \
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    return detail::mapNumber(graph, expr::BinaryOpType::OP, A, B, false, poplar::Tensor(), prog, debugContext,  \
                             options);                                                                          \
  }                                                                                                             \
  template <class T, class = detail::IfNumber<T>>                                                               \
  poplar::Tensor name(poplar::Graph& graph, T A, const poplar::Tensor& B, poplar::program::Sequence& prog,      \
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    return detail::mapNumber(graph, expr::BinaryOpType::OP, B, A, true, poplar::Tensor(), prog, debugContext,   \
                             options);                                                                          \
  }                                                                                                             \
  inline void name##WithOutput(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,          \
                               const poplar::Tensor& out, poplar::program::Sequence& prog,                      \
                               const poplar::DebugContext& debugContext = {},                                   \
                               const poplar::OptionFlags& options = {}) {                                       \
    mapWithOutput(graph, expr::BinaryOpType::OP, A, B, out, prog, debugContext, options);                       \
  }                                                                                                             \
  template <class T, class = detail::IfNumber<T>>                                                               \
  void name##WithOutput(poplar::Graph& graph, const poplar::Tensor& A, T B, const poplar::Tensor& out,          \
                        poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},         \
                        const poplar::OptionFlags& options = {}) {                                              \
    detail::mapNumber(graph, expr::BinaryOpType::OP, A, B, false, out, prog, debugContext, options);            \
  }                                                                                                             \
  template <class T, class = detail::IfNumber<T>>                                                               \
  void name##WithOutput(poplar::Graph& graph, T A, const poplar::Tensor& B, const poplar::Tensor& out,          \
                        poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},         \
                        const poplar::OptionFlags& options = {}) {                                              \
    detail::mapNumber(graph, expr::BinaryOpType::OP, B, A, true, out, prog, debugContext, options);             \
  }                                                                                                             \
  inline void name##InPlace(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,             \
                            poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},     \
                            const poplar::OptionFlags& options = {}) {                                          \
    mapInPlace(graph, expr::BinaryOpType::OP, A, B, prog, debugContext, options);                               \
  }                                                                                                             \
  template <class T, class = detail::IfNumber<T>>                                                               \
  void name##InPlace(poplar::Graph& graph, const poplar::Tensor& A, T B, poplar::program::Sequence& prog,       \
                     const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
    detail::mapNumber(graph, expr::BinaryOpType::OP, A, B, false, A, prog, debugContext, options);              \
  }
#define POPOPS_TERNARY(name, OP)                                                                                       \
  inline poplar::Tensor name(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,                   \
                             const poplar::Tensor& C, poplar::program::Sequence& prog,                                 \
                             const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) { \
    return map(graph, expr::TernaryOpType::OP, A, B, C, prog, debugContext, options);                                  \
  }                                                                                                                    \
  inline void name##WithOutput(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,                 \
                               const poplar::Tensor& C, const poplar::Tensor& out, poplar::program::Sequence& prog,    \
                               const poplar::DebugContext& debugContext = {},                                          \
                               const poplar::OptionFlags& options = {}) {                                              \
    mapWithOutput(graph, expr::TernaryOpType::OP, A, B, C, out, prog, debugContext, options);                          \
  }                                                                                                                    \
  inline void name##InPlace(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,                    \
                            const poplar::Tensor& C, poplar::program::Sequence& prog,                                  \
                            const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
    mapInPlace(graph, expr::TernaryOpType::OP, A, B, C, prog, debugContext, options);                                  \
  }

#define POPOPS_UNARY_ALL(name, OP) POPOPS_UNARY(name, OP) POPOPS_UNARY_IN_PLACE(name, OP)
POPOPS_UNARY_ALL(abs, ABSOLUTE)
POPOPS_UNARY_ALL(asin, ASIN)
POPOPS_UNARY_ALL(bitwiseNot, BITWISE_NOT)
POPOPS_UNARY_ALL(cbrt, CBRT)
POPOPS_UNARY_ALL(ceil, CEIL)
POPOPS_UNARY_ALL(cos, COS)
POPOPS_UNARY_ALL(erf, ERF)
POPOPS_UNARY_ALL(exp, EXPONENT)
POPOPS_UNARY_ALL(exp2, EXPONENT2)
POPOPS_UNARY_ALL(expm1, EXPONENT_MINUS_ONE)
POPOPS_UNARY_ALL(floor, FLOOR)
POPOPS_UNARY_ALL(geluErf, GELU_ERF)
POPOPS_UNARY_ALL(inv, INVERSE)
POPOPS_UNARY(isFinite, IS_FINITE)
POPOPS_UNARY_ALL(log, LOGARITHM)
POPOPS_UNARY_ALL(log1p, LOGARITHM_ONE_PLUS)
POPOPS_UNARY_ALL(logicalNot, LOGICAL_NOT)
POPOPS_UNARY_ALL(nearbyint, NEARBY_INT)
POPOPS_UNARY_ALL(neg, NEGATE)
POPOPS_UNARY_ALL(popcount, POPCOUNT)
POPOPS_UNARY_ALL(round, ROUND)
POPOPS_UNARY_ALL(rsqrt, RSQRT)
POPOPS_UNARY_ALL(sigmoid, SIGMOID)
POPOPS_UNARY_ALL(signum, SIGNUM)
POPOPS_UNARY_ALL(sin, SIN)
POPOPS_UNARY_ALL(sqrt, SQRT)
POPOPS_UNARY_ALL(square, SQUARE)
POPOPS_UNARY_ALL(tan, TAN)
POPOPS_UNARY_ALL(tanh, TANH)
POPOPS_UNARY_ALL(trunc, TRUNC)

POPOPS_BINARY(add, ADD)
POPOPS_BINARY(atan2, ATAN2)
POPOPS_BINARY(bitwiseAnd, BITWISE_AND)
POPOPS_BINARY(bitwiseOr, BITWISE_OR)
POPOPS_BINARY(bitwiseXnor, BITWISE_XNOR)
POPOPS_BINARY(bitwiseXor, BITWISE_XOR)
POPOPS_BINARY(div, DIVIDE)
POPOPS_BINARY(eq, EQUAL)
POPOPS_BINARY(gt, GREATER_THAN)
POPOPS_BINARY(gteq, GREATER_THAN_EQUAL)
POPOPS_BINARY(logicalAnd, LOGICAL_AND)
POPOPS_BINARY(logicalOr, LOGICAL_OR)
POPOPS_BINARY(lt, LESS_THAN)
POPOPS_BINARY(lteq, LESS_THAN_EQUAL)
POPOPS_BINARY(max, MAXIMUM)
POPOPS_BINARY(min, MINIMUM)
POPOPS_BINARY(mul, MULTIPLY)
POPOPS_BINARY(neq, NOT_EQUAL)
POPOPS_BINARY(pow, POWER)
POPOPS_BINARY(rem, REMAINDER)
POPOPS_BINARY(shiftLeft, SHIFT_LEFT)
POPOPS_BINARY(shiftRight, SHIFT_RIGHT)
POPOPS_BINARY(shiftRightSignExtend, SHIFT_RIGHT_SIGN_EXTEND)
POPOPS_BINARY(sub, SUBTRACT)

POPOPS_TERNARY(clamp, CLAMP)
POPOPS_TERNARY(select, SELECT)

#undef POPOPS_UNARY
#undef POPOPS_UNARY_IN_PLACE
#undef POPOPS_UNARY_ALL
#undef POPOPS_BINARY
#undef POPOPS_TERNARY

}  // namespace popops
