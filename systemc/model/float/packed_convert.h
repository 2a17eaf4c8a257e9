// Conversions of single lanes to and from f8, stochastic rounding to f16, and integers mapped to (-1/2, 1/2), as
// vector_narrow.sv does them. Results stand in the low bits of the value.
#pragma once

#include <cstdint>

#include "systemc/model/float/fpu.h"
#include "systemc/model/float/vector_result.h"

namespace tessera::model {

// What xfpctl[5:4] makes of a result in f16: as it is, unless it has overflowed.
FpResult with_half_overflow(FpResult, unsigned half_overflow);

// f32 to f16: the value is rounded up when the 16 bits of its fraction and the random ones carry.
FpResult stochastic_half(uint32_t f32, uint16_t random, unsigned half_overflow);

// Format and scale are those of CSR xf8.
FpResult f8_to_half(uint8_t f8, const FloatControl&);
FpResult half_to_f8(uint16_t f16, const FloatControl&);

// (u + 1/2) / 2^n - 1/2 for u of n bits: 16 in f16, else 32 in f32.
uint32_t centred_fraction(bool f16, uint32_t u);

}  // namespace tessera::model
