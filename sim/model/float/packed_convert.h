// Conversions of single lanes to and from f8, and of integers to numbers in (-1/2, 1/2), as vector_narrow.sv does them.
// Results stand in the low bits of the value.
#pragma once

#include <cstdint>

#include "sim/model/float/fpu.h"
#include "sim/model/float/vector_result.h"

namespace tessera::model {

// Format and scale are those of CSR xf8.
FpResult f8_to_half(uint8_t f8, const FloatControl&);
FpResult half_to_f8(uint16_t f16, const FloatControl&);

// (u + 1/2) / 2^n - 1/2 for u of n bits: 16 in f16, else 32 in f32.
uint32_t centred_fraction(bool f16, uint32_t u);

}  // namespace tessera::model
