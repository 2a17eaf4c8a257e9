#include <poplar/HalfFloat.hpp>

#include <bit>
#include <cmath>
#include <cstring>

namespace poplar {
namespace detail {
namespace {

// A finite or infinite value given as sign and magnitude, rounded once to half, to nearest even. The magnitude is
// fraction * 2^exponent with the fraction's top bit at bit 52.
std::uint16_t pack(std::uint16_t sign, std::uint64_t fraction, int exponent) {
  // value = fraction * 2^exponent; a half's unit in the last place is at least 2^-24.
  const int top = exponent + 52;  // 2^top <= value < 2^(top + 1)
  if (top > 15) return static_cast<std::uint16_t>(sign | 0x7c00U);
  const int unit = top < -14 ? -24 : top - 10;
  const int shift = unit - exponent;
  if (shift > 63) return sign;
  const std::uint64_t kept = fraction >> shift;
  const std::uint64_t rest = fraction & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t tie = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rounded = kept + (rest > tie || (rest == tie && (kept & 1) != 0) ? 1 : 0);
  // For normal values `kept` carries the hidden bit, which adds one to the exponent field; a carry out of the
  // fraction does the same, up to infinity.
  const std::uint64_t field = top < -14 ? 0 : static_cast<std::uint64_t>(top + 14);
  return static_cast<std::uint16_t>(sign | ((field << 10) + rounded));
}

}  // namespace

std::uint16_t doubleToHalfBits(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint16_t sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000U);
  const int field = static_cast<int>(bits >> 52 & 0x7ffU);
  const std::uint64_t fraction = bits & 0xfffffffffffffU;
  if (field == 0x7ff) {
    if (fraction == 0) return static_cast<std::uint16_t>(sign | 0x7c00U);
    return static_cast<std::uint16_t>(sign | 0x7e00U | fraction >> 42);
  }
  if (field == 0) return sign;  // below every half
  return pack(sign, fraction | std::uint64_t{1} << 52, field - 1075);
}

std::uint16_t floatToHalfBits(float value) { return doubleToHalfBits(static_cast<double>(value)); }

float halfBitsToFloat(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t field = bits >> 10 & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (field == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
  if (field != 0) return std::bit_cast<float>(sign | (field + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

}  // namespace detail

void copyFloatToDeviceHalf(const Target&, const float* src, void* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i) {
    const std::uint16_t bits = detail::floatToHalfBits(src[i]);
    std::memcpy(static_cast<char*>(dst) + 2 * i, &bits, 2);
  }
}

void copyDeviceHalfToFloat(const Target&, const void* src, float* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, static_cast<const char*>(src) + 2 * i, 2);
    dst[i] = detail::halfBitsToFloat(bits);
  }
}

void copyDoubleToDeviceHalf(const Target&, const double* src, void* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i) {
    const std::uint16_t bits = detail::doubleToHalfBits(src[i]);
    std::memcpy(static_cast<char*>(dst) + 2 * i, &bits, 2);
  }
}

void copyDeviceHalfToDouble(const Target&, const void* src, double* dst, std::size_t numElements) {
  for (std::size_t i = 0; i < numElements; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, static_cast<const char*>(src) + 2 * i, 2);
    dst[i] = static_cast<double>(detail::halfBitsToFloat(bits));
  }
}

}  // namespace poplar
