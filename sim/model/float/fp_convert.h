// Conversions between f16, f32 and 32-bit integers, as fp_convert.sv does them.
#pragma once

#include "sim/model/float/fpu.h"

namespace tessera::model {

// `op` is one of FCVT_*; `fmt` is the format that is not an integer and is ignored between floats.
FpResult fp_convert(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a);

}  // namespace tessera::model
