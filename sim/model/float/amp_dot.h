// Sums of products with one rounding: what the units of the matrix engine compute in one step, side by side.
#pragma once

#include <cstdint>

namespace tessera::model {

constexpr unsigned kUnitStride = 4;  // words from one unit's weights to the next one's

// For u < units (1, 8 or 16): sums[u] = sums[u] + products of x with w[kUnitStride * u], rounded to f32, nearest even.
// Gives the flags, NV and OF only.

// Four products of f16.
uint8_t dot_f16(unsigned units, uint64_t x, const uint64_t* w, uint32_t* sums);

// Eight products of f8, their sum scaled by 2^xf8[13:8]; formats of x and w by xf8[0] and xf8[1].
uint8_t dot_f8(unsigned units, uint32_t xf8, uint64_t x, const uint64_t* w, uint32_t* sums);

// One product of f32: x with the given lane (0 or 1) of the word.
uint8_t dot_f32(unsigned units, uint32_t x, unsigned lane, const uint64_t* w, uint32_t* sums);

}  // namespace tessera::model
