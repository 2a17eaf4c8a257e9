// What reductions give.
#pragma once

#include <popops/Operation.hpp>
#include <string>

#include "tests/libs/popops/generated/expected.h"

namespace popops_test {

struct Reduced {
  popops::Operation op;
  Type type;  // of the result
  Shape dims;
  double scale;
  Values before;  // what the result is added to; empty for nothing
};
Expected reduced(const Elements& in, const Reduced& reduction);

std::string name_of(popops::Operation op);  // "ADD", ...

}  // namespace popops_test
