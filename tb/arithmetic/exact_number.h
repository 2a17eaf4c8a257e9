// Numbers of all formats, their exact sums and products, and rounding, each straight from its definition.
//
// A sum is one integer of 768 bits that counts units of 2^-320: nothing is ever aligned, dropped or estimated. Slow and
// simple on purpose; shared with neither the RTL nor the model.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::tb {

// What a float format is made of. f8 has no infinity: its only NaN is 0x80 and its highest exponent is an ordinary one.
struct NumberFormat {
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool ieee;

  int smallest_exponent() const { return 1 - bias; }  // of a normal number
  int largest_exponent() const { return (1 << exponent_bits) - 1 - (ieee ? 1 : 0) - bias; }
  int width() const { return 1 + exponent_bits + fraction_bits; }
  uint32_t sign_bit() const { return 1u << (width() - 1); }
  uint32_t nan() const;  // the canonical one
  uint32_t infinity() const;
  uint32_t largest() const;
};

inline constexpr NumberFormat kF32 = {8, 23, 127, true};
inline constexpr NumberFormat kF16 = {5, 10, 15, true};
inline constexpr NumberFormat kF8e4 = {4, 3, 8, false};
inline constexpr NumberFormat kF8e5 = {5, 2, 16, false};

// One operand. A finite one is +- significand * 2^exponent.
struct Decoded {
  bool nan = false, signalling = false, infinite = false, negative = false;
  uint32_t significand = 0;
  int exponent = 0;

  bool zero() const { return !nan && !infinite && significand == 0; }
};
Decoded decode_number(const NumberFormat&, uint32_t bits);

// An exact sum of numbers between 2^-320 and 2^440 in magnitude.
class ExactSum {
 public:
  // Adds +- significand * 2^exponent.
  void add(bool negative, uint64_t significand, int exponent);
  bool zero() const;
  bool negative() const { return (words_.back() >> 63) != 0; }
  ExactSum magnitude() const;
  int highest_bit() const;       // largest e with 2^e <= the value, which is positive
  bool bit(int exponent) const;  // of a positive value: is 2^exponent part of it?
  bool any_below(int exponent) const;
  uint64_t from(int exponent) const;  // of a positive value: floor(value / 2^exponent), which fits

 private:
  std::array<uint64_t, 12> words_{};  // two's complement, lowest first
};

// A result and its flags; `overflows`: the value rounded as if there were no largest exponent is above the largest
// number (value is then what the rounding mode gives: infinity or the largest number).
struct Rounded {
  uint32_t value;
  uint8_t flags;
  bool overflows;
};
// `sum` is not zero.
Rounded round_sum(const NumberFormat&, model::RoundingMode, const ExactSum& sum);

// Stochastic rounding to f16 as arithmetic.md defines it: 16 random bits.
Rounded round_sum_stochastic(const ExactSum& sum, uint32_t random);

}  // namespace tessera::tb
