// What the 64-bit units of the Xipu extension take besides operands, and what they give.
#pragma once

#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::model {

// Control state as it holds when the instruction is issued.
struct FloatControl {
  RoundingMode rm = RoundingMode::RNE;  // resolved
  bool stochastic = false;              // xfpctl[3]
  unsigned half_overflow = 0;           // xfpctl[5:4]
  uint32_t f8 = 0;                      // CSR xf8
  uint64_t random = 0;                  // the worker's next random number
  uint32_t tas = 0;                     // CSR xtas, an f32
};

struct VectorResult {
  uint64_t value = 0;
  uint8_t flags = 0;  // fp_flag

  bool operator==(const VectorResult&) const = default;
};

}  // namespace tessera::model
