// The reference of conversions that only the Xipu extension has: stochastic rounding, f8, integers to an even
// distribution; of masks and of the random-number generator. Written from docs/reference/arithmetic.md.
#pragma once

#include "sim/model/float/vector_result.h"

namespace tessera::tb {

// Exact; a signalling NaN raises NV in `flags`.
uint32_t half_to_single(uint32_t half, uint8_t& flags);

// Stochastic with 16 random bits when control.stochastic is set, else by `rm`; all flags that conversions raise.
uint32_t single_to_half(uint32_t single, uint32_t random, const model::FloatControl& control, uint8_t& flags,
                        model::RoundingMode rm = model::RoundingMode::RNE);

uint32_t f8_to_half(uint32_t byte, const model::FloatControl& control, uint8_t& flags);
uint32_t half_to_f8(uint32_t half, const model::FloatControl& control, uint8_t& flags);

// (u + 1/2) / 2^bits - 1/2, u of 32 bits to f32 or of 16 bits to f16.
uint32_t even_from_unsigned(uint32_t u, bool half);

// rmask on lanes of 32 or 16 bits.
uint64_t random_mask(uint64_t x, uint64_t p, uint64_t random, unsigned lane_bits);

}  // namespace tessera::tb
