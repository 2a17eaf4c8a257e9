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

}  // namespace poplar
