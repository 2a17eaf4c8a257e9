#include "sim/model/float/fpu.h"

#include "sim/model/float/fp_compare.h"
#include "sim/model/float/fp_convert.h"
#include "sim/model/float/fp_divsqrt.h"
#include "sim/model/float/fp_fma.h"

namespace tessera::model {

FpResult fp_execute(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c) {
  if (op == FpOp::FDIV) return fp_divide(fmt, rm, a, b);
  if (op == FpOp::FSQRT) return fp_square_root(fmt, rm, a);
  // Bits 4:3 of an operation choose the unit (fp_ops.def).
  switch (static_cast<uint8_t>(op) >> 3) {
    case 0:
      return fp_fma(op, fmt, rm, a, b, c);
    case 1:
      return fp_convert(op, fmt, rm, a);
    default:
      return fp_compare(op, fmt, a, b);
  }
}

}  // namespace tessera::model
