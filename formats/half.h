// IEEE binary16. The compiler's own _Float16 is not on every host and rounds as the host's rounding mode says.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::formats {

// Exact; a NaN keeps its payload.
constexpr float half_to_float(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16, field = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
  if (field == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (field != 0) return std::bit_cast<float>(sign | (field + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -magnitude : magnitude;
}

// Rounded once, to nearest even; overflow gives infinity, a NaN stays a quiet NaN.
constexpr uint16_t half_from_double(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000u);
  const auto field = static_cast<int>(bits >> 52 & 0x7ffu);
  const uint64_t stored = bits & 0xfffffffffffffu;
  if (field == 0x7ff) return static_cast<uint16_t>(sign | (stored == 0 ? 0x7c00u : 0x7e00u | stored >> 42));
  if (field == 0) return sign;   // below every half
  const int top = field - 1023;  // 2^top <= magnitude < 2^(top + 1)
  if (top > 15) return static_cast<uint16_t>(sign | 0x7c00u);
  const uint64_t fraction = stored | uint64_t{1} << 52;
  // A half's unit in the last place is at least 2^-24.
  const int unit = top < -14 ? -24 : top - 10, shift = unit - (top - 52);
  if (shift > 63) return sign;
  const uint64_t kept = fraction >> shift, rest = fraction & ((uint64_t{1} << shift) - 1);
  const uint64_t tie = uint64_t{1} << (shift - 1);
  const uint64_t rounded = kept + (rest > tie || (rest == tie && (kept & 1) != 0) ? 1 : 0);
  // For normal values `kept` carries the hidden bit, which adds one to the exponent field; a carry out of the
  // fraction does the same, up to infinity.
  const uint64_t exponent = top < -14 ? 0 : static_cast<uint64_t>(top + 14);
  return static_cast<uint16_t>(sign | ((exponent << 10) + rounded));
}

}  // namespace tessera::formats
