#include "tb/arithmetic/exact_number.h"

#include <algorithm>

namespace tessera::tb {

using model::RoundingMode;
namespace flag = model::fp_flag;

namespace {

constexpr int kUnit = -320;  // weight of bit 0 of an ExactSum
constexpr int kBits = 768;

uint32_t field_ones(const NumberFormat& f) { return (1u << f.exponent_bits) - 1; }
uint32_t fraction_ones(const NumberFormat& f) { return (1u << f.fraction_bits) - 1; }

// The bits of n * 2^unit, n at most one power of two above what the fraction holds.
uint32_t encode(const NumberFormat& f, bool negative, uint64_t n, int unit) {
  const uint64_t hidden = uint64_t{1} << f.fraction_bits;
  if (n == 2 * hidden) {
    n = hidden;
    ++unit;
  }
  const uint32_t sign = negative ? f.sign_bit() : 0;
  if (n < hidden) return sign | static_cast<uint32_t>(n);  // subnormal: unit is that of the smallest exponent
  const auto field = static_cast<uint32_t>(unit + f.fraction_bits + f.bias);
  return sign | field << f.fraction_bits | static_cast<uint32_t>(n - hidden);
}

// floor(magnitude / 2^unit), rounded up or not by the mode.
uint64_t round_to_unit(const ExactSum& magnitude, int unit, RoundingMode rm, bool negative, bool& inexact) {
  const uint64_t floor = magnitude.from(unit);
  const bool half = magnitude.bit(unit - 1);
  const bool more = magnitude.any_below(unit - 1);
  inexact = half || more;
  switch (rm) {
    case RoundingMode::RNE:
      return floor + (half && (more || floor % 2 == 1));
    case RoundingMode::RMM:
      return floor + half;
    case RoundingMode::RUP:
      return floor + (inexact && !negative);
    case RoundingMode::RDN:
      return floor + (inexact && negative);
    default:
      return floor;
  }
}

}  // namespace

uint32_t NumberFormat::nan() const {
  return ieee ? field_ones(*this) << fraction_bits | 1u << (fraction_bits - 1) : sign_bit();
}
uint32_t NumberFormat::infinity() const { return field_ones(*this) << fraction_bits; }
uint32_t NumberFormat::largest() const { return ieee ? infinity() - 1 : sign_bit() - 1; }

Decoded decode_number(const NumberFormat& f, uint32_t bits) {
  const uint32_t fraction = bits & fraction_ones(f);
  const uint32_t field = bits >> f.fraction_bits & field_ones(f);
  Decoded d;
  d.negative = (bits & f.sign_bit()) != 0;
  if (f.ieee && field == field_ones(f)) {
    d.infinite = fraction == 0;
    d.nan = fraction != 0;
    d.signalling = d.nan && (fraction >> (f.fraction_bits - 1)) == 0;
    return d;
  }
  if (!f.ieee && (bits & (2 * f.sign_bit() - 1)) == f.nan()) {
    d.nan = true;
    return d;
  }
  d.significand = field == 0 ? fraction : fraction | 1u << f.fraction_bits;
  d.exponent = (field == 0 ? f.smallest_exponent() : static_cast<int>(field) - f.bias) - f.fraction_bits;
  return d;
}

void ExactSum::add(bool negative, uint64_t significand, int exponent) {
  const int position = exponent - kUnit;
  const auto word = static_cast<size_t>(position / 64);
  const int shift = position % 64;
  std::array<uint64_t, 12> term{};
  term.at(word) = significand << shift;
  if (shift != 0) term.at(word + 1) = significand >> (64 - shift);
  bool carry = negative;  // subtraction adds the complement and one
  for (size_t i = 0; i < term.size(); ++i) {
    const uint64_t addend = negative ? ~term[i] : term[i];
    const uint64_t with_carry = addend + carry;
    const bool wrapped = carry && with_carry == 0;
    words_[i] += with_carry;
    carry = wrapped || words_[i] < with_carry;
  }
}

bool ExactSum::zero() const {
  return std::all_of(words_.begin(), words_.end(), [](uint64_t word) { return word == 0; });
}

ExactSum ExactSum::magnitude() const {
  if (!negative()) return *this;
  ExactSum result;
  bool carry = true;
  for (size_t i = 0; i < words_.size(); ++i) {
    result.words_[i] = ~words_[i] + carry;
    carry = carry && words_[i] == 0;
  }
  return result;
}

int ExactSum::highest_bit() const {
  int position = kBits - 1;
  while ((words_[static_cast<size_t>(position / 64)] >> (position % 64) & 1) == 0) {
    position -= words_[static_cast<size_t>(position / 64)] == 0 ? position % 64 + 1 : 1;
  }
  return position + kUnit;
}

bool ExactSum::bit(int exponent) const {
  const int position = exponent - kUnit;
  return position >= 0 && (words_.at(static_cast<size_t>(position / 64)) >> (position % 64) & 1) != 0;
}

bool ExactSum::any_below(int exponent) const {
  const int position = std::max(exponent - kUnit, 0);
  const auto word = static_cast<size_t>(position / 64);
  for (size_t i = 0; i < word; ++i) {
    if (words_[i] != 0) return true;
  }
  return (words_.at(word) & ((uint64_t{1} << (position % 64)) - 1)) != 0;
}

uint64_t ExactSum::from(int exponent) const {
  const int position = exponent - kUnit;
  if (position < 0) return words_[0] << -position;
  const auto word = static_cast<size_t>(position / 64);
  const int shift = position % 64;
  uint64_t result = words_.at(word) >> shift;
  if (shift != 0 && word + 1 < words_.size()) result |= words_[word + 1] << (64 - shift);
  return result;
}

Rounded round_sum(const NumberFormat& f, RoundingMode rm, const ExactSum& sum) {
  const bool negative = sum.negative();
  const ExactSum magnitude = sum.magnitude();
  const int full_unit = magnitude.highest_bit() - f.fraction_bits;  // at full precision
  const int unit = std::max(full_unit, f.smallest_exponent() - f.fraction_bits);
  const uint64_t hidden = uint64_t{1} << f.fraction_bits;

  bool inexact = false;
  const uint64_t n = round_to_unit(magnitude, unit, rm, negative, inexact);
  uint8_t flags = inexact ? flag::NX : uint8_t{0};

  const int top = unit + f.fraction_bits + (n == 2 * hidden ? 1 : 0);
  if (n >= hidden && top > f.largest_exponent()) {
    const bool away =
        rm == RoundingMode::RNE || rm == RoundingMode::RMM || rm == (negative ? RoundingMode::RDN : RoundingMode::RUP);
    const uint32_t value = away && f.ieee ? f.infinity() : f.largest();
    return {(negative ? f.sign_bit() : 0) | value, flag::OF | flag::NX, true};
  }
  if (inexact) {
    bool ignored = false;
    const uint64_t full = round_to_unit(magnitude, full_unit, rm, negative, ignored);
    const int full_top = full_unit + f.fraction_bits + (full == 2 * hidden ? 1 : 0);
    if (full_top < f.smallest_exponent()) flags |= flag::UF;
  }
  return {encode(f, negative, n, unit), flags, false};
}

Rounded round_sum_stochastic(const ExactSum& sum, uint32_t random) {
  const NumberFormat& f = kF16;
  const bool negative = sum.negative();
  const ExactSum magnitude = sum.magnitude();
  const int smallest = f.smallest_exponent();
  const int top = magnitude.highest_bit();
  const uint32_t sign = negative ? f.sign_bit() : 0;
  if (top > f.largest_exponent()) return {sign | f.infinity(), flag::OF | flag::NX, true};
  const int unit = std::max(top, smallest) - f.fraction_bits;
  const uint64_t fraction = magnitude.from(unit - 16) & 0xffff;
  const uint64_t n = magnitude.from(unit) + (fraction + (random & 0xffff) >= 0x10000 ? 1 : 0);
  if (n == uint64_t{2} << f.fraction_bits && unit + f.fraction_bits == f.largest_exponent()) {
    return {sign | f.infinity(), flag::OF | flag::NX, true};
  }
  uint8_t flags = 0;
  if (magnitude.any_below(unit)) flags = top < smallest ? flag::NX | flag::UF : flag::NX;
  return {encode(f, negative, n, unit), flags, false};
}

}  // namespace tessera::tb
