#include "sim/model/float/packed_convert.h"

#include <algorithm>
#include <bit>

#include "sim/model/float/fp_round.h"
#include "sim/model/float/half_rounding.h"
#include "sim/model/float/number.h"

namespace tessera::model {
namespace {

// significand / 2^63 * 2^exponent, normalised or with the smallest exponent of its format.
struct Aligned {
  int exponent;
  uint64_t significand;
};

Aligned align(int exponent, uint64_t significand, int smallest) {
  const int above = exponent - smallest;
  if (above < 0) return {smallest, shift_right_sticky(significand, -above)};
  const int left = std::min(above, std::countl_zero(significand));
  return {exponent - left, left == 64 ? 0 : significand << left};
}

struct F8Format {
  int fraction_bits;
  int bias;
};

F8Format f8_format(uint32_t f8) { return (f8 & 1) != 0 ? F8Format{2, 16} : F8Format{3, 8}; }

// xf8[13:8], signed.
int f8_scale(uint32_t f8) { return static_cast<int>(f8 >> 8 & 63) - static_cast<int>((f8 >> 13 & 1) << 6); }

constexpr uint8_t kF8Nan = 0x80;

}  // namespace

FpResult f8_to_half(uint8_t f8, const FloatControl& control) {
  if (f8 == kF8Nan) return {canonical_nan(true), 0};
  const F8Format format = f8_format(control.f8);
  const bool sign = (f8 & 0x80) != 0;
  const int field = (f8 & 0x7f) >> format.fraction_bits;
  const uint64_t fraction = f8 & ((1u << format.fraction_bits) - 1);
  const uint64_t significand = (uint64_t{field != 0} << 63) | fraction << (63 - format.fraction_bits);
  const int exponent = std::max(field, 1) - format.bias + f8_scale(control.f8);
  const Aligned m = align(exponent, significand, exponent_min(true));
  const FpResult result = fp_round(true, control.rm, sign, m.exponent, m.significand);
  return with_half_overflow(result, control.half_overflow);
}

FpResult half_to_f8(uint16_t f16, const FloatControl& control) {
  const Number a = unpack(true, f16);
  if (a.nan) return {kF8Nan, a.signalling ? fp_flag::NV : uint8_t{0}};
  const uint32_t sign = a.sign ? 0x80 : 0;
  const uint32_t too_large = control.half_overflow >= 2 ? kF8Nan : sign | 0x7f;
  if (a.infinite) return {too_large, 0};

  const F8Format format = f8_format(control.f8);
  const int smallest = 1 - format.bias;
  const Aligned m = align(a.exponent - f8_scale(control.f8), uint64_t{a.significand} << 40, smallest);
  const bool normal = (m.significand >> 63) != 0;
  const int dropped = 63 - format.fraction_bits;
  const uint64_t half = uint64_t{1} << (dropped - 1);
  const uint64_t ones = (uint64_t{1} << format.fraction_bits) - 1;
  const uint64_t kept = m.significand >> dropped;
  const uint64_t lost = m.significand & (2 * half - 1);
  const bool to_nearest = control.rm == RoundingMode::RNE || control.rm == RoundingMode::RMM;
  const bool away = control.rm == (a.sign ? RoundingMode::RDN : RoundingMode::RUP);
  const auto rounds_up = [&](uint64_t rest, uint64_t middle, bool odd) {
    if (!to_nearest) return away && rest != 0;
    return rest > middle || (rest == middle && (odd || control.rm == RoundingMode::RMM));
  };
  const bool reaches_normal =
      kept == ones && (lost & half) != 0 && rounds_up(lost & (half - 1), half >> 1, /*odd=*/true);
  const bool tiny = !normal && !reaches_normal;
  const int field = normal ? m.exponent + format.bias : 0;
  const int magnitude =
      (field << format.fraction_bits) + static_cast<int>(kept & ones) + rounds_up(lost, half, (kept & 1) != 0);
  if (magnitude > 0x7f) return {too_large, fp_flag::OF | fp_flag::NX};
  const int flags = lost == 0 ? 0 : fp_flag::NX | (tiny ? fp_flag::UF : 0);
  return {magnitude == 0 ? 0 : sign | static_cast<uint32_t>(magnitude), static_cast<uint8_t>(flags)};
}

uint32_t centred_fraction(bool f16, uint32_t u) {
  // 2 u + 1 - 2^n in units of 2^-(n + 1), here with n = 32 for both.
  const uint64_t doubled = f16 ? (uint64_t{u & 0xffff} << 17) + 0x10000 : uint64_t{u} * 2 + 1;
  const bool sign = (doubled >> 32) == 0;
  const uint64_t magnitude = sign ? (uint64_t{1} << 32) - doubled : doubled - (uint64_t{1} << 32);
  const Aligned m = align(-2, magnitude << 32, exponent_min(f16));
  return fp_round(f16, RoundingMode::RNE, sign, m.exponent, m.significand).value;
}

}  // namespace tessera::model
