// Operands for random tests: corner values, sparse significands and operands related to each other weigh more than they
// would by chance. A stream is fixed by its seed.
#pragma once

#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::tb {

// One operation to be executed by RTL, model and reference.
struct Case {
  model::FpOp op;
  model::FpFormat fmt;
  model::RoundingMode rm;
  uint32_t a;
  uint32_t b;
  uint32_t c;
};

class OperandStream {
 public:
  explicit OperandStream(uint64_t seed) : state_(seed) {}

  uint64_t bits();  // 64 random bits
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(((bits() >> 32) * bound) >> 32); }
  uint32_t number(model::FpFormat fmt);  // any bit pattern of the format, upper bits random for f16
  uint32_t integer();                    // 32-bit integers around powers of two and the ends of the range
  Case next(model::FpOp op, model::FpFormat fmt, model::RoundingMode rm);

 private:
  uint32_t end_of_range(model::FpFormat fmt);
  uint32_t related(model::FpFormat fmt, uint32_t a, int exponent_shift);

  uint64_t state_;
};

}  // namespace tessera::tb
