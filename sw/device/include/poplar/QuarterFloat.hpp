// Eight-bit floats as codelets store them, and their values. docs/reference/arithmetic.md, f8: 1-4-3 with bias 8 or
// 1-5-2 with bias 16, 0x80 the one NaN, no infinity, no negative zero; a value is scaled by 2^scale.
#pragma once

#include <poplar/HalfFloat.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

struct quarter {
  unsigned char bits;
};

struct quarter_metadata {
  enum class format : unsigned char { f143, f152 };
  format fmt;
  signed char scale;  // -32 to 31
};

namespace poplar {

// Metadata as memory holds it: bit 7 is set for f143, bits 0 to 5 are the scale as two's complement.
using MetadataType = unsigned char;

inline quarter_metadata unpackMetadata(const MetadataType* metadata) {
  const int scale = *metadata & 0x3f;
  return {(*metadata & 0x80) != 0 ? quarter_metadata::format::f143 : quarter_metadata::format::f152,
          static_cast<signed char>(scale > 31 ? scale - 64 : scale)};
}

// Exact.
inline float toFloat(quarter value, quarter_metadata metadata) {
  if (value.bits == 0x80) return std::numeric_limits<float>::quiet_NaN();
  const bool f143 = metadata.fmt == quarter_metadata::format::f143;
  const int fraction_bits = f143 ? 3 : 2, bias = f143 ? 8 : 16;
  const int fraction = value.bits & ((1 << fraction_bits) - 1), exponent = (value.bits & 0x7f) >> fraction_bits;
  const int significand = exponent == 0 ? fraction : fraction | 1 << fraction_bits;
  const int power = (exponent == 0 ? 1 : exponent) - bias - fraction_bits + metadata.scale;
  const float magnitude =
      static_cast<float>(significand) * __builtin_bit_cast(float, static_cast<unsigned>(127 + power) << 23);
  return (value.bits & 0x80) != 0 ? -magnitude : magnitude;
}

// Rounded as conversions of float to half are.
inline half toHalf(quarter value, quarter_metadata metadata) { return static_cast<half>(toFloat(value, metadata)); }

// Rounded once, to nearest even. What is beyond the largest value, infinities too, gives the largest or, if so wanted,
// NaN.
inline quarter toQuarter(float value, quarter_metadata metadata, bool nanOnOverflow = false) {
  constexpr quarter nan = {0x80};
  const unsigned bits = __builtin_bit_cast(unsigned, value), magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return nan;
  const bool f143 = metadata.fmt == quarter_metadata::format::f143;
  const int fraction_bits = f143 ? 3 : 2, least_exponent = f143 ? -7 : -15;
  const int exponent = static_cast<int>(magnitude >> 23) - 127 - metadata.scale;
  const int power = exponent < least_exponent ? least_exponent : exponent;
  // From 24 bits of significand to units of the result; no unit of any format is as small as a subnormal float.
  const int shift = 23 - fraction_bits + power - exponent;
  if (shift > 25) return {0};
  const unsigned significand = (magnitude & 0x7fffff) | 0x800000;
  const unsigned rounded = (significand + (1u << (shift - 1)) - 1 + (significand >> shift & 1)) >> shift;
  // The hidden bit of a normal value adds one to the exponent field, as does a carry out of the fraction.
  const unsigned code = (static_cast<unsigned>(power - least_exponent) << fraction_bits) + rounded;
  const unsigned sign = bits >> 24 & 0x80;
  if (code > 0x7f) return nanOnOverflow ? nan : quarter{static_cast<unsigned char>(sign | 0x7f)};
  return {static_cast<unsigned char>(code == 0 ? 0 : sign | code)};
}
inline quarter toQuarter(half value, quarter_metadata metadata, bool nanOnOverflow = false) {
  return toQuarter(static_cast<float>(value), metadata, nanOnOverflow);
}

}  // namespace poplar
