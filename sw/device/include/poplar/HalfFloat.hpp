// `half` on the tile: the IEEE 754 binary16 type of the hardware, rounded after every operation.
#pragma once

typedef _Float16 half;

namespace poplar {
using half = ::half;
}

#ifdef __cplusplus
#include <poplar/HalfMath.hpp>

#include <limits>

namespace std {
template <>
struct numeric_limits<_Float16> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr float_denorm_style has_denorm = denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int radix = 2;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr _Float16 min() noexcept { return 0x1p-14f16; }
  static constexpr _Float16 lowest() noexcept { return -65504.0f16; }
  static constexpr _Float16 max() noexcept { return 65504.0f16; }
  static constexpr _Float16 epsilon() noexcept { return 0x1p-10f16; }
  static constexpr _Float16 round_error() noexcept { return 0.5f16; }
  static constexpr _Float16 infinity() noexcept { return __builtin_inff16(); }
  static constexpr _Float16 quiet_NaN() noexcept { return __builtin_nanf16(""); }
  static constexpr _Float16 signaling_NaN() noexcept { return __builtin_nansf16(""); }
  static constexpr _Float16 denorm_min() noexcept { return 0x1p-24f16; }
};
}  // namespace std
#endif
