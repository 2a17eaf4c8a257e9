#include "sw/libs/popops/operators.h"

#include <poputil/exceptions.hpp>

#include "sw/libs/popops/types.h"

namespace popops {

using poplar::Type;

const Operator& describe(expr::UnaryOpType op) {
  switch (op) {
#define UNARY_OPERATOR(op, name, function, operands, result, packed)                                   \
  case expr::UnaryOpType::op: {                                                                        \
    static const Operator known = {name, function, Operands::operands, Result::result, Takes::packed}; \
    return known;                                                                                      \
  }
#include "sw/libs/popops/operators.def"
  }
  throw poputil::poplibs_error("there is no unary operator " + std::to_string(static_cast<int>(op)));
}

const Operator& describe(expr::BinaryOpType op) {
  switch (op) {
#define BINARY_OPERATOR(op, name, function, operands, result, packed)                                  \
  case expr::BinaryOpType::op: {                                                                       \
    static const Operator known = {name, function, Operands::operands, Result::result, Takes::packed}; \
    return known;                                                                                      \
  }
#include "sw/libs/popops/operators.def"
  }
  throw poputil::poplibs_error("there is no binary operator " + std::to_string(static_cast<int>(op)));
}

const char* name_of(expr::TernaryOpType op) { return op == expr::TernaryOpType::CLAMP ? "Clamp" : "Select"; }

bool takes(Operands operands, Type type) {
  const bool is_bool = type == poplar::BOOL;
  switch (operands) {
    case Operands::kFloat:
      return is_float(type);
    case Operands::kInteger:
      return !is_float(type) && !is_bool;
    case Operands::kNumber:
      return !is_bool;
    case Operands::kBool:
      return is_bool;
    case Operands::kAny:
      return true;
  }
  return false;
}

const char* words_of(Operands operands) {
  switch (operands) {
    case Operands::kFloat:
      return "float or half";
    case Operands::kInteger:
      return "an integer type";
    case Operands::kNumber:
      return "an integer type, float or half";
    case Operands::kBool:
      return "bool";
    case Operands::kAny:
      return "any type";
  }
  return "";
}

}  // namespace popops
