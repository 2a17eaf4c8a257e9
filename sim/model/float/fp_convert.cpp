#include "sim/model/float/fp_convert.h"

#include "sim/model/float/fp_round.h"
#include "sim/model/float/number.h"

namespace tessera::model {
namespace {

// Rounds to an integer in 32.32 fixed point, then saturates.
FpResult to_integer(const Number& a, bool is_unsigned, RoundingMode rm) {
  const bool negative = a.sign && !a.nan;
  const uint32_t saturated = is_unsigned ? (negative ? 0u : 0xffffffffu) : (negative ? 0x80000000u : 0x7fffffffu);
  const FpResult invalid = {saturated, fp_flag::NV};
  if (a.nan || a.infinite || a.exponent > 31) return invalid;

  const uint64_t fixed = shift_right_sticky(uint64_t{a.significand} << 40, 31 - a.exponent);
  const uint32_t lost = static_cast<uint32_t>(fixed);
  uint64_t whole = fixed >> 32;
  const uint32_t half = 0x80000000u;
  switch (rm) {
    case RoundingMode::RNE:
      whole += lost > half || (lost == half && (whole & 1) != 0);
      break;
    case RoundingMode::RMM:
      whole += lost >= half;
      break;
    case RoundingMode::RDN:
      whole += a.sign && lost != 0;
      break;
    case RoundingMode::RUP:
      whole += !a.sign && lost != 0;
      break;
    case RoundingMode::RTZ:
      break;
  }
  const uint64_t largest = is_unsigned ? (a.sign ? 0u : 0xffffffffu) : (a.sign ? 0x80000000u : 0x7fffffffu);
  if (whole > largest) return invalid;
  const uint32_t magnitude = static_cast<uint32_t>(whole);
  return {a.sign ? 0u - magnitude : magnitude, lost != 0 ? fp_flag::NX : uint8_t{0}};
}

FpResult from_integer(uint32_t x, bool is_unsigned, bool f16, RoundingMode rm) {
  if (x == 0) return {0, 0};
  const bool sign = !is_unsigned && (x >> 31) != 0;
  const uint32_t magnitude = sign ? 0u - x : x;
  const int shift = std::countl_zero(magnitude);
  return fp_round(f16, rm, sign, 31 - shift, uint64_t{magnitude} << (32 + shift));
}

FpResult between_floats(const Number& a, bool to_f16, RoundingMode rm) {
  if (a.nan) return {canonical_nan(to_f16), a.signalling ? fp_flag::NV : uint8_t{0}};
  if (a.infinite) return {signed_infinity(to_f16, a.sign), 0};
  if (a.zero()) return {signed_zero(to_f16, a.sign), 0};
  const uint64_t significand = uint64_t{a.significand} << 40;
  const int below = exponent_min(to_f16) - a.exponent;
  if (below > 0) {
    return fp_round(to_f16, rm, a.sign, exponent_min(to_f16), shift_right_sticky(significand, below));
  }
  const int shift = std::countl_zero(significand);
  return fp_round(to_f16, rm, a.sign, a.exponent - shift, significand << shift);
}

}  // namespace

FpResult fp_convert(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a) {
  const bool f16 = fmt == FpFormat::F16;
  switch (op) {
    case FpOp::FCVT_W_F:
      return to_integer(unpack(f16, a), false, rm);
    case FpOp::FCVT_WU_F:
      return to_integer(unpack(f16, a), true, rm);
    case FpOp::FCVT_F_W:
      return from_integer(a, false, f16, rm);
    case FpOp::FCVT_F_WU:
      return from_integer(a, true, f16, rm);
    case FpOp::FCVT_S_H:
      return between_floats(unpack(true, a), false, rm);
    default:
      return between_floats(unpack(false, a), true, rm);
  }
}

}  // namespace tessera::model
