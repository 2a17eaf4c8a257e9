// Binary formats of few bits, worked out in doubles. Every value of f8, f16 and f32, scaled by up to 2^64 either way,
// is a double, and so are the quotients below; nothing here rounds but round_to itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::tb {

struct SmallFormat {
  int fraction_bits;
  int bias;

  int exponent_min() const { return 1 - bias; }
};

inline constexpr SmallFormat kHalf = {10, 15};
inline constexpr SmallFormat kF8e4 = {3, 8};
inline constexpr SmallFormat kF8e5 = {2, 16};

// The exponent of the leading one of a number that is not zero.
inline int exponent_of(double x) { return std::ilogb(x); }

// The number of a bit pattern, its sign bit left out; the top exponent is like any other.
inline double small_value(SmallFormat f, uint32_t bits) {
  const int field = static_cast<int>(bits >> f.fraction_bits);
  const int fraction = static_cast<int>(bits & ((1u << f.fraction_bits) - 1));
  const int leading = field == 0 ? 0 : 1 << f.fraction_bits;
  return std::ldexp(leading + fraction, std::max(field, 1) - f.bias - f.fraction_bits);
}

// The bit pattern of a magnitude that the format has.
inline uint32_t small_bits(SmallFormat f, double x) {
  if (x == 0) return 0;
  const int exponent = std::max(exponent_of(x), f.exponent_min());
  const auto units = static_cast<uint32_t>(std::ldexp(x, f.fraction_bits - exponent));
  const auto field = static_cast<uint32_t>(exponent + f.bias - 1);
  return (field << f.fraction_bits) + units;  // a leading one counts the field up
}

struct Rounded {
  double magnitude;  // unbounded above
  bool inexact;
  bool tiny;  // the value, rounded with an exponent without bounds, is below the smallest normal
};

inline Rounded round_to(SmallFormat f, model::RoundingMode rm, double x) {
  using model::RoundingMode;
  if (x == 0) return {0, false, false};
  const bool negative = std::signbit(x);
  const double magnitude = std::fabs(x);
  bool inexact = false;
  const auto at_exponent = [&](int exponent) {
    const double units = std::ldexp(magnitude, f.fraction_bits - exponent);
    const double below = std::floor(units);
    const double rest = units - below;
    inexact = rest != 0;
    bool up = false;
    switch (rm) {
      case RoundingMode::RNE:
        up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) == 1);
        break;
      case RoundingMode::RMM:
        up = rest >= 0.5;
        break;
      case RoundingMode::RDN:
        up = negative && rest > 0;
        break;
      case RoundingMode::RUP:
        up = !negative && rest > 0;
        break;
      case RoundingMode::RTZ:
        break;
    }
    return std::ldexp(below + up, exponent - f.fraction_bits);
  };
  const int exponent = exponent_of(magnitude);
  const bool tiny = at_exponent(exponent) < std::ldexp(1, f.exponent_min());
  const double rounded = at_exponent(std::max(exponent, f.exponent_min()));
  return {rounded, inexact, tiny};
}

}  // namespace tessera::tb
