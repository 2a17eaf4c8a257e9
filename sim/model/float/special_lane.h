// One lane of the special functions, as special_lane.sv computes it.
#pragma once

#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::model {

enum class SpecialFunction : uint8_t { Exp, Exp2, Ln, Log2, Tanh, Sigmoid, Reciprocal, Sqrt, ReciprocalSqrt, Gauss };

// `x` is an f16 in the low half, an f32, or the 32 random bits of a Gauss. The result has the same format; that of
// Gauss is f16 or f32 as `f16` says.
FpResult special_lane(SpecialFunction function, bool f16, uint32_t x);

}  // namespace tessera::model
