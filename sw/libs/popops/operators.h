// What there is to know of an operator.
#pragma once

#include <poplar/Type.hpp>
#include <popops/ExprOp.hpp>

namespace popops {

enum class Operands { kFloat, kInteger, kNumber, kBool, kAny };
enum class Result { kSame, kBool };

// What the function takes: elements; packed values too; packed values in so many instructions that a loop over them is
// not worth unrolling.
enum class Takes { kElements, kPacked, kPackedLong };

struct Operator {
  const char* name;      // in the names of expressions
  const char* function;  // on the device: an operator of C++, a function of <popops/elementwise.h> or of namespace ipu
  Operands operands;
  Result result;
  Takes packed;
};

const Operator& describe(expr::UnaryOpType op);
const Operator& describe(expr::BinaryOpType op);
const char* name_of(expr::TernaryOpType op);

bool takes(Operands operands, poplar::Type type);
const char* words_of(Operands operands);

}  // namespace popops
