// One sum of products of the matrix engine in integers, whatever the operands are. Slower than amp_dot.h, which turns
// to it where the host's doubles would not be exact.
#pragma once

#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::model {

// c + the four products of f16 lanes, rounded once to f32. The flags are those of fp_round; NV and OF count.
FpResult exact_dot_f16(uint64_t x, uint64_t w, uint32_t c);

// c + 2^scale * the eight products of f8 lanes.
FpResult exact_dot_f8(uint32_t xf8, uint64_t x, uint64_t w, uint32_t c);

// xf8[13:8], signed.
constexpr int f8_scale_of(uint32_t xf8) { return static_cast<int>((xf8 >> 8 & 63) ^ 32) - 32; }

}  // namespace tessera::model
