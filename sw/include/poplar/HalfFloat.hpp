// IEEE 754 binary16 on the host: two bytes of storage; every operation is done in float and rounded once to half,
// to nearest even, which equals direct half arithmetic for +, -, *, / (float has more than twice the precision).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <ostream>
#include <type_traits>

namespace poplar {

class Target;

namespace detail {
std::uint16_t floatToHalfBits(float value);    // to nearest even; overflow gives infinity, NaN stays a quiet NaN
std::uint16_t doubleToHalfBits(double value);  // rounded once
float halfBitsToFloat(std::uint16_t bits);
}  // namespace detail

class half {
 public:
  half() = default;
  half(float value) : bits_(detail::floatToHalfBits(value)) {}
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  explicit half(T value) : bits_(detail::doubleToHalfBits(static_cast<double>(value))) {}

  operator float() const { return detail::halfBitsToFloat(bits_); }

  std::uint16_t bits() const { return bits_; }
  static half fromBits(std::uint16_t bits) {
    half h;
    h.bits_ = bits;
    return h;
  }

  half& operator+=(float v) { return *this = half(float(*this) + v); }
  half& operator-=(float v) { return *this = half(float(*this) - v); }
  half& operator*=(float v) { return *this = half(float(*this) * v); }
  half& operator/=(float v) { return *this = half(float(*this) / v); }
  half operator-() const { return fromBits(static_cast<std::uint16_t>(bits_ ^ 0x8000u)); }

 private:
  std::uint16_t bits_;
};

namespace detail {
// Result type of an operation of half with an arithmetic type, and the type in which it is computed.
template <class T, class = void>
struct HalfResult {};
template <class T>
struct HalfResult<T, typename std::enable_if<std::is_integral<T>::value>::type> {
  using type = half;
  using compute = float;
};
template <class T>
struct HalfResult<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
  using type = T;
  using compute = T;
};
}  // namespace detail

// half op half and half op integer give half, half op float gives float, half op double gives double.
#define TESSERA_HALF_OPERATOR(op)                                                                                 \
  inline half operator op(half a, half b) { return half(float(a) op float(b)); }                                  \
  template <class T, class R = typename detail::HalfResult<T>::type>                                              \
  R operator op(half a, T b) {                                                                                    \
    return R(typename detail::HalfResult<T>::compute(float(a)) op typename detail::HalfResult<T>::compute(R(b))); \
  }                                                                                                               \
  template <class T, class R = typename detail::HalfResult<T>::type>                                              \
  R operator op(T a, half b) {                                                                                    \
    return R(typename detail::HalfResult<T>::compute(R(a)) op typename detail::HalfResult<T>::compute(float(b))); \
  }
TESSERA_HALF_OPERATOR(+)
TESSERA_HALF_OPERATOR(-)
TESSERA_HALF_OPERATOR(*)
TESSERA_HALF_OPERATOR(/)
#undef TESSERA_HALF_OPERATOR

inline std::ostream& operator<<(std::ostream& os, half h) { return os << float(h); }
inline std::istream& operator>>(std::istream& is, half& h) {
  float f = 0;
  is >> f;
  h = half(f);
  return is;
}

// Conversions between host arrays and the device's half representation (two bytes an element).
void copyFloatToDeviceHalf(const Target& target, const float* src, void* dst, std::size_t numElements);
void copyDeviceHalfToFloat(const Target& target, const void* src, float* dst, std::size_t numElements);
void copyDoubleToDeviceHalf(const Target& target, const double* src, void* dst, std::size_t numElements);
void copyDeviceHalfToDouble(const Target& target, const void* src, double* dst, std::size_t numElements);

}  // namespace poplar

using poplar::half;

namespace std {
template <>
class numeric_limits<poplar::half> : public numeric_limits<float> {
 public:
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
  static poplar::half(min)() { return poplar::half::fromBits(0x0400); }
  static poplar::half(max)() { return poplar::half::fromBits(0x7bff); }
  static poplar::half lowest() { return poplar::half::fromBits(0xfbff); }
  static poplar::half epsilon() { return poplar::half::fromBits(0x1400); }
  static poplar::half denorm_min() { return poplar::half::fromBits(0x0001); }
  static poplar::half round_error() { return poplar::half::fromBits(0x3800); }
  static poplar::half infinity() { return poplar::half::fromBits(0x7c00); }
  static poplar::half quiet_NaN() { return poplar::half::fromBits(0x7e00); }
  static poplar::half signaling_NaN() { return poplar::half::fromBits(0x7d00); }
};
template <>
struct hash<poplar::half> {
  size_t operator()(poplar::half h) const { return hash<float>()(float(h)); }
};
}  // namespace std
