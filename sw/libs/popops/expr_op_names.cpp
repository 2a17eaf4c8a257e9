#include <ostream>

#include <popops/ExprOpUtils.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace expr {
namespace ostream_ext {

std::ostream& operator<<(std::ostream& os, const UnaryOpType& t) {
  switch (t) {
#define UNARY_OPERATOR(op, name, function, operands, result, packed) \
  case UnaryOpType::op:                                              \
    return os << #op;
#include "sw/libs/popops/operators.def"
  }
  throw poputil::poplibs_error("there is no unary operator " + std::to_string(static_cast<int>(t)));
}

std::ostream& operator<<(std::ostream& os, const BinaryOpType& t) {
  switch (t) {
#define BINARY_OPERATOR(op, name, function, operands, result, packed) \
  case BinaryOpType::op:                                              \
    return os << #op;
#include "sw/libs/popops/operators.def"
  }
  throw poputil::poplibs_error("there is no binary operator " + std::to_string(static_cast<int>(t)));
}

std::ostream& operator<<(std::ostream& os, const TernaryOpType& t) {
  return os << (t == TernaryOpType::CLAMP ? "CLAMP" : "SELECT");
}

}  // namespace ostream_ext
}  // namespace expr
}  // namespace popops
