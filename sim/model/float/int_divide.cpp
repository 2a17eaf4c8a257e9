// Integer division: the results of the ring int_divide.sv, found at once.
#include "sim/model/float/fpu.h"

namespace tessera::model {

uint32_t int_divide(IntDivideOp op, uint32_t a, uint32_t b) {
  const bool is_signed = op == IntDivideOp::DIV || op == IntDivideOp::REM;
  const bool wants_remainder = op == IntDivideOp::REM || op == IntDivideOp::REMU;
  if (b == 0) return wants_remainder ? a : 0xffffffffu;
  const bool a_negative = is_signed && (a >> 31) != 0;
  const bool b_negative = is_signed && (b >> 31) != 0;
  const uint32_t dividend = a_negative ? 0u - a : a;
  const uint32_t divisor = b_negative ? 0u - b : b;
  // The overflow of the smallest number by -1 wraps to the number itself.
  const uint32_t magnitude = wants_remainder ? dividend % divisor : dividend / divisor;
  const bool negative = wants_remainder ? a_negative : a_negative != b_negative;
  return negative ? 0u - magnitude : magnitude;
}

}  // namespace tessera::model
