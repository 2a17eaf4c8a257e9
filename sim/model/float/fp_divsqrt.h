// Division and square root: the results of the ring fp_divsqrt.sv, found at once.
#pragma once

#include "sim/model/float/fpu.h"

namespace tessera::model {

FpResult fp_divide(FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b);
FpResult fp_square_root(FpFormat fmt, RoundingMode rm, uint32_t a);

}  // namespace tessera::model
