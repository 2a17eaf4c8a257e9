// The operations that tensors are reduced by.
#pragma once

namespace popops {

enum class Operation {
  ADD,
  MUL,
  MIN,
  MAX,
  LOGICAL_AND,  // of BOOL
  LOGICAL_OR,   // of BOOL
  SQUARE_ADD,   // the sum of the squares
  LOG_ADD       // log(exp(a) + exp(b)): sums of numbers given by their logarithms
};

}  // namespace popops
