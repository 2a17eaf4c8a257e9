// Comparison, minimum, maximum, sign injection and classification, as fp_compare.sv does them.
#pragma once

#include "sim/model/float/fpu.h"

namespace tessera::model {

// `op` is one of FSGNJ, FSGNJN, FSGNJX, FMIN, FMAX, FEQ, FLT, FLE, FCLASS.
FpResult fp_compare(FpOp op, FpFormat fmt, uint32_t a, uint32_t b);

}  // namespace tessera::model
