#include "sim/model/float/fp_divsqrt.h"

#include <cmath>

#include "sim/model/float/fp_round.h"
#include "sim/model/float/number.h"

namespace tessera::model {
namespace {

// Gives a subnormal its leading one.
void normalise(Number& x) {
  const int shift = std::countl_zero(x.significand) - 8;
  x.significand <<= shift;
  x.exponent -= shift;
}

// quotient / 2^31 * 2^exponent, `inexact` below its last bit.
FpResult round_quotient(bool f16, RoundingMode rm, bool sign, int exponent, uint32_t quotient, bool inexact) {
  const int shift = std::countl_zero(quotient);
  uint64_t significand = (((uint64_t{quotient} << 1) | static_cast<uint64_t>(inexact)) << 31) << shift;
  exponent -= shift;
  const int below = exponent_min(f16) - exponent;
  if (below > 0) {
    significand = shift_right_sticky(significand, below);
    exponent = exponent_min(f16);
  }
  return fp_round(f16, rm, sign, exponent, significand);
}

}  // namespace

FpResult fp_divide(FpFormat fmt, RoundingMode rm, uint32_t a_bits, uint32_t b_bits) {
  const bool f16 = fmt == FpFormat::F16;
  Number a = unpack(f16, a_bits);
  Number b = unpack(f16, b_bits);
  const bool sign = a.sign != b.sign;
  const FpResult invalid = {canonical_nan(f16), fp_flag::NV};
  if (a.nan || b.nan) return a.signalling || b.signalling ? invalid : FpResult{canonical_nan(f16), 0};
  if (a.infinite) return b.infinite ? invalid : FpResult{signed_infinity(f16, sign), 0};
  if (b.infinite) return {signed_zero(f16, sign), 0};
  if (b.zero()) return a.zero() ? invalid : FpResult{signed_infinity(f16, sign), fp_flag::DZ};
  if (a.zero()) return {signed_zero(f16, sign), 0};
  normalise(a);
  normalise(b);
  const uint64_t dividend = uint64_t{a.significand} << 31;
  const uint32_t quotient = static_cast<uint32_t>(dividend / b.significand);
  return round_quotient(f16, rm, sign, a.exponent - b.exponent, quotient, dividend % b.significand != 0);
}

FpResult fp_square_root(FpFormat fmt, RoundingMode rm, uint32_t a_bits) {
  const bool f16 = fmt == FpFormat::F16;
  Number a = unpack(f16, a_bits);
  if (a.nan) return {canonical_nan(f16), a.signalling ? fp_flag::NV : uint8_t{0}};
  if (a.zero()) return {signed_zero(f16, a.sign), 0};
  if (a.sign) return {canonical_nan(f16), fp_flag::NV};
  if (a.infinite) return {signed_infinity(f16, false), 0};
  normalise(a);
  // Radicand in [2^62, 2^64), root in [2^31, 2^32); the host's root of it is at most one off.
  const bool odd = (a.exponent & 1) != 0;
  const uint64_t radicand = uint64_t{a.significand} << (odd ? 40 : 39);
  uint64_t root = static_cast<uint64_t>(std::sqrt(static_cast<double>(radicand)));
  while (root * root > radicand || root > 0xffffffffu) --root;
  while (root < 0xffffffffu && (root + 1) * (root + 1) <= radicand) ++root;
  return round_quotient(f16, rm, false, a.exponent >> 1, static_cast<uint32_t>(root), root * root != radicand);
}

}  // namespace tessera::model
