#include "sim/model/float/fp_compare.h"

#include "sim/model/float/number.h"

namespace tessera::model {
namespace {

// One bit of the ten-bit mask of fclass.
uint32_t classify(bool f16, uint32_t bits) {
  const Number x = unpack(f16, bits);
  if (x.nan) return x.signalling ? 1u << 8 : 1u << 9;
  if (x.infinite) return x.sign ? 1u << 0 : 1u << 7;
  if (x.zero()) return x.sign ? 1u << 3 : 1u << 4;
  if ((x.significand >> 23) == 0) return x.sign ? 1u << 2 : 1u << 5;
  return x.sign ? 1u << 1 : 1u << 6;
}

}  // namespace

FpResult fp_compare(FpOp op, FpFormat fmt, uint32_t a_bits, uint32_t b_bits) {
  const bool f16 = fmt == FpFormat::F16;
  const uint32_t sign_bit = f16 ? 0x8000u : 0x80000000u;
  const uint32_t number_bits = f16 ? 0xffffu : 0xffffffffu;
  const uint32_t infinity = f16 ? 0x7c00u : 0x7f800000u;
  const uint32_t quiet_bit = f16 ? 0x200u : 0x400000u;

  const uint32_t a = a_bits & number_bits;
  const uint32_t b = b_bits & number_bits;
  const uint32_t a_magnitude = a & ~sign_bit;
  const uint32_t b_magnitude = b & ~sign_bit;
  const bool a_sign = (a & sign_bit) != 0;
  const bool b_sign = (b & sign_bit) != 0;
  const bool a_nan = a_magnitude > infinity;
  const bool b_nan = b_magnitude > infinity;
  const bool any_nan = a_nan || b_nan;
  const bool any_signalling = (a_nan && (a & quiet_bit) == 0) || (b_nan && (b & quiet_bit) == 0);
  // In the total order -0 is below +0.
  const bool below = a_sign != b_sign ? a_sign : (a_sign ? a_magnitude > b_magnitude : a_magnitude < b_magnitude);
  const bool equal = !any_nan && (a == b || (a_magnitude | b_magnitude) == 0);
  const bool less = !any_nan && !equal && below;
  const uint8_t quiet_flags = any_signalling ? fp_flag::NV : 0;
  const uint8_t signalling_flags = any_nan ? fp_flag::NV : 0;

  switch (op) {
    case FpOp::FSGNJ:
      return {a_magnitude | (b & sign_bit), 0};
    case FpOp::FSGNJN:
      return {a_magnitude | (~b & sign_bit), 0};
    case FpOp::FSGNJX:
      return {a ^ (b & sign_bit), 0};
    case FpOp::FMIN:
    case FpOp::FMAX:
      if (a_nan && b_nan) return {canonical_nan(f16), quiet_flags};
      if (any_nan) return {a_nan ? b : a, quiet_flags};
      return {below == (op == FpOp::FMIN) ? a : b, 0};
    case FpOp::FEQ:
      return {equal, quiet_flags};
    case FpOp::FLT:
      return {less, signalling_flags};
    case FpOp::FLE:
      return {less || equal, signalling_flags};
    default:
      return {classify(f16, a), 0};
  }
}

}  // namespace tessera::model
