// Unpacked numbers, as fp_format.sv has them: value = significand / 2^23 * 2^exponent for f16 and f32 alike.
//
// The significand has 24 bits; that of an f16 stands in the upper 11. A subnormal keeps its leading zeros and has the
// smallest normal exponent. Only a zero has the significand 0. NaN and infinity are told by their flags.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::model {

struct Number {
  bool nan;
  bool signalling;
  bool infinite;
  bool sign;
  int exponent;
  uint32_t significand;

  bool zero() const { return significand == 0; }
};

constexpr int exponent_min(bool f16) { return f16 ? -14 : -126; }
constexpr uint32_t canonical_nan(bool f16) { return f16 ? 0x7e00u : 0x7fc00000u; }
constexpr uint32_t signed_zero(bool f16, bool sign) { return f16 ? uint32_t{sign} << 15 : uint32_t{sign} << 31; }
constexpr uint32_t signed_infinity(bool f16, bool sign) {
  return signed_zero(f16, sign) | (f16 ? 0x7c00u : 0x7f800000u);
}

// Of an f16 the low half of `x` is read.
constexpr Number unpack(bool f16, uint32_t x) {
  const uint32_t field = f16 ? (x >> 10) & 31 : (x >> 23) & 255;
  const uint32_t full = f16 ? 31 : 255;
  const uint32_t fraction = f16 ? (x & 0x3ff) << 13 : x & 0x7fffff;
  const bool special = field == full;
  return {
      .nan = special && fraction != 0,
      .signalling = special && fraction != 0 && (fraction >> 22) == 0,
      .infinite = special && fraction == 0,
      .sign = ((f16 ? x >> 15 : x >> 31) & 1) != 0,
      .exponent = static_cast<int>(field == 0 ? 1 : field) - (f16 ? 15 : 127),
      .significand = (field == 0 ? 0u : 1u << 23) | fraction,
  };
}

// x >> amount, where bit 0 of the result also tells whether a 1 was shifted out. amount >= 0.
constexpr uint64_t shift_right_sticky(uint64_t x, int amount) {
  if (amount >= 64) return x != 0;
  const uint64_t kept = x >> amount;
  return kept | static_cast<uint64_t>((kept << amount) != x);
}

}  // namespace tessera::model
