// The types of the operands of element-wise operators.
#pragma once

#include "tests/libs/popops/generated/draft.h"

namespace popops_test {

// As sw/libs/popops/operators.def names them.
enum class Takes { kFloat, kInteger, kNumber, kBool, kAny };

// One that the operator takes; number: of the operator. Types whose vertices are not brought compiled are for one
// operator in eleven, unless the cases are full.
inline Type type_for(Draft& draft, Takes takes, std::size_t number) {
  std::vector<Type> types;
  if (takes != Takes::kBool && takes != Takes::kInteger) types = {FLOAT, HALF};
  if (takes == Takes::kInteger || takes == Takes::kNumber || takes == Takes::kAny) {
    types.insert(types.end(), {INT, UNSIGNED_INT});
    if (draft.full() || number % 11 == 0)
      types.insert(types.end(), {SHORT, UNSIGNED_SHORT, SIGNED_CHAR, UNSIGNED_CHAR});
  }
  if (takes == Takes::kBool || takes == Takes::kAny) types.push_back(BOOL);
  return draft.choices.pick(types);
}

// A shape that is broadcast to this one. Unless the cases are full only one operator in eight has other ones than the
// shape itself and one element: others take vertices of their own.
inline Shape operand_shape(Draft& draft, const Shape& shape, std::size_t number) {
  const auto how = draft.choices.below(draft.full() || number % 8 == 1 ? 4 : 2);
  if (how == 0) return shape;
  if (how == 1) return Shape(draft.choices.below(shape.size() + 1), 1);
  return draft.narrower(shape);
}

}  // namespace popops_test
