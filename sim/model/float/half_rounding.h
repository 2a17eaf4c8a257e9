// Rounding of f32 to f16 with what xfpctl decides: stochastic rounding and the result of an overflow.
#pragma once

#include "sim/model/float/fp_convert.h"
#include "sim/model/float/number.h"
#include "sim/model/float/vector_result.h"

namespace tessera::model {

// The result of an overflow by xfpctl[5:4]; `otherwise` is what it is for 0.
constexpr uint32_t half_overflow_value(unsigned half_overflow, bool sign, uint32_t otherwise) {
  if (half_overflow == 0) return otherwise;
  return half_overflow == 1 ? signed_zero(true, sign) | 0x7bff : canonical_nan(true);
}

// A result in f16 as an operation with a rounding mode gives it, changed if it has overflowed.
constexpr FpResult with_half_overflow(FpResult result, unsigned half_overflow) {
  if ((result.flags & fp_flag::OF) == 0) return result;
  return {half_overflow_value(half_overflow, (result.value & 0x8000u) != 0, result.value), result.flags};
}

// Stochastic rounding with 16 random bits: the magnitude in units of f16's last place, cut to 16 fraction bits, plus
// the random bits.
inline FpResult round_stochastic(uint32_t x, uint32_t random, unsigned half_overflow) {
  const Number a = unpack(false, x);
  if (a.nan || a.infinite || a.zero()) return fp_convert(FpOp::FCVT_H_S, FpFormat::F16, RoundingMode::RNE, x);
  const bool overflows = a.exponent >= 16;
  const int dropped = a.exponent >= -14 ? 13 : -1 - a.exponent;  // bits below the last place
  const uint64_t cut = dropped > 40 ? 0 : (uint64_t{a.significand} << 16) >> dropped;
  const auto steps = static_cast<uint32_t>((cut + (random & 0xffff)) >> 16);
  // A carry into the next binade moves the exponent field by itself; of a subnormal the field is 0.
  const uint32_t magnitude = a.exponent >= -14 ? (static_cast<uint32_t>(a.exponent + 14) << 10) + steps : steps;
  if (overflows || magnitude >= 0x7c00) {
    return {half_overflow_value(half_overflow, a.sign, signed_infinity(true, a.sign)), fp_flag::OF | fp_flag::NX};
  }
  const bool exact = dropped <= 24 && (a.significand & ((1u << dropped) - 1)) == 0;
  const uint8_t flags = exact ? uint8_t{0} : a.exponent >= -14 ? fp_flag::NX : fp_flag::NX | fp_flag::UF;
  return {signed_zero(true, a.sign) | magnitude, flags};
}

// Rounding to nearest even.
inline FpResult round_nearest(uint32_t x, unsigned half_overflow) {
  const uint32_t magnitude = x & 0x7fffffffu;
  // Normal results that cannot overflow, without branches on the value.
  if (magnitude - 0x38800000u < 0x47000000u - 0x38800000u) {
    const uint32_t rounded = magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1);
    return {(x >> 16 & 0x8000u) | rounded >> 13, (x & 0x1fff) != 0 ? fp_flag::NX : uint8_t{0}};
  }
  FpResult result = fp_convert(FpOp::FCVT_H_S, FpFormat::F16, RoundingMode::RNE, x);
  if ((result.flags & fp_flag::OF) != 0) {
    result.value = half_overflow_value(half_overflow, (x >> 31) != 0, result.value);
  }
  return result;
}

// Exact; a signalling NaN raises NV.
inline FpResult widen(uint32_t half) {
  const uint32_t field = half >> 10 & 31;
  if (field != 0 && field != 31) return {(half & 0x8000u) << 16 | ((half & 0x7fffu) + (112u << 10)) << 13, 0};
  return fp_convert(FpOp::FCVT_S_H, FpFormat::F32, RoundingMode::RNE, half);
}

}  // namespace tessera::model
