// Operands for the special functions and how many of them a test takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tb/float/operands.h"

namespace tessera::tb {

// f32 operands per function: TESSERA_SPECIAL_CASES, or `commit`, or `nightly` in the nightly tier.
uint64_t special_cases(uint64_t commit, uint64_t nightly);

// The ends of every exponent and its middle, the turns of the tables, and the thresholds of overflow and underflow,
// with their neighbours.
const std::vector<uint32_t>& special_boundaries();

// The boundaries first, then random numbers: a quarter any bit pattern, the others where the functions are not trivial.
class SpecialOperands {
 public:
  explicit SpecialOperands(uint64_t seed) : random_(seed) {}
  uint32_t next();

 private:
  OperandStream random_;
  size_t taken_ = 0;
};

}  // namespace tessera::tb
