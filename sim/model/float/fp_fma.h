// Addition, subtraction, multiplication and the fused forms, as fp_fma.sv does them.
#pragma once

#include "sim/model/float/fpu.h"

namespace tessera::model {

// `op` is one of FADD, FSUB, FMUL, FMADD, FMSUB, FNMSUB, FNMADD; c is read by the last four.
FpResult fp_fma(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c);

// The same without the host's floating point, which fp_fma uses where it is exact.
FpResult fp_fma_by_integers(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c);

}  // namespace tessera::model
