// Float instructions of a worker: operands checked for their NaN-boxing, the operation, the result boxed again.
// Mirrors rtl/tile's float unit around rtl/float.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/model/context.h"
#include "sim/model/decode.h"

namespace tessera::model {

struct FloatResult {
  bool illegal = false;  // rounding mode
  bool to_integer = false;
  uint64_t value = 0;
  uint8_t flags = 0;
};

// Executes an instruction of the Fp units.
FloatResult float_result(const Decoded&, const Context&, const FloatContext&);

constexpr uint64_t box_f32(uint32_t bits) { return 0xffffffff00000000ull | bits; }
constexpr uint64_t box_f16(uint32_t bits) { return 0xffffffffffff0000ull | (bits & 0xffff); }

}  // namespace tessera::model
