#include "sim/model/float/amp_exact_dot.h"

#include <array>
#include <bit>

#include "sim/model/float/fp_round.h"
#include "sim/model/float/number.h"

namespace tessera::model {
namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 WideMagnitude;

// One byte: 1-5-2 when e5, else 1-4-3. It has no infinity, its NaN is quiet and its only zero is positive.
Number unpack_f8(bool e5, uint32_t x) {
  const int fraction_bits = e5 ? 2 : 3;
  const uint32_t field = (x & 0x7f) >> fraction_bits;
  const uint32_t fraction = x & ((1u << fraction_bits) - 1);
  const bool nan = (x & 0xff) == 0x80;
  return {.nan = nan,
          .signalling = false,
          .infinite = false,
          .sign = (x & 0x80) != 0,
          .exponent = static_cast<int>(field == 0 ? 1 : field) - (e5 ? 16 : 8),
          .significand = (field == 0 ? 0u : 1u << 23) | fraction << (23 - fraction_bits)};
}

// value = magnitude * 2^exponent, magnitude not 0.
FpResult round_wide(bool sign, WideMagnitude magnitude, int exponent) {
  const auto high = static_cast<uint64_t>(magnitude >> 64);
  const int leading =
      high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<uint64_t>(magnitude));
  const auto significand =
      leading <= 63 ? static_cast<uint64_t>(magnitude) << (63 - leading)
                    : static_cast<uint64_t>(magnitude >> (leading - 63)) |
                          static_cast<uint64_t>((magnitude & ((WideMagnitude{1} << (leading - 63)) - 1)) != 0);
  const int top = leading + exponent;
  if (top >= exponent_min(false)) return fp_round(false, RoundingMode::RNE, sign, top, significand);
  return fp_round(false, RoundingMode::RNE, sign, exponent_min(false),
                  shift_right_sticky(significand, exponent_min(false) - top));
}

// c + 2^scale * sum of x[i] * w[i] of numbers that are f16 or f8: in integers, whatever the operands.
FpResult exact_dot(unsigned lanes, const Number* x, const Number* w, int scale, uint32_t c_bits) {
  constexpr int kUnit = -50;  // no product has bits below 2^kUnit, nor reaches 2^(kUnit + 82)
  const Number c = unpack(false, c_bits);
  bool nan = c.nan;
  bool invalid = c.signalling;
  bool infinite[2] = {c.infinite && !c.sign, c.infinite && c.sign};
  bool all_negative = c.sign;
  Wide sum = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    const bool sign = x[i].sign != w[i].sign;
    nan |= x[i].nan || w[i].nan;
    invalid |= x[i].signalling || w[i].signalling;
    invalid |= (x[i].infinite && w[i].zero()) || (w[i].infinite && x[i].zero());
    infinite[sign] |= x[i].infinite || w[i].infinite;
    all_negative &= sign;
    const uint32_t product = (x[i].significand >> 13) * (w[i].significand >> 13);  // of 11 bits each
    const Wide term = Wide{product} << (x[i].exponent + w[i].exponent - 20 - kUnit);
    sum += sign ? -term : term;
  }
  if (infinite[0] && infinite[1] && !nan) invalid = true;
  if (nan || invalid) return {canonical_nan(false), invalid ? fp_flag::NV : uint8_t{0}};
  if (infinite[0] || infinite[1]) return {signed_infinity(false, infinite[1]), 0};
  if (sum == 0) {
    if (!c.zero()) return {c_bits, 0};
    return {signed_zero(false, all_negative), 0};
  }

  // Brings c to the unit of the sum or the sum to that of c. Where they are so far apart that it does not fit, the
  // smaller one decides nothing but the direction: a 1 far below the other's last place stands for it.
  int exponent = kUnit + scale;
  const int distance = c.exponent - 23 - exponent;
  Wide addend = c.significand;
  if (c.zero()) {
    addend = 0;
  } else if (distance > 100) {
    exponent = c.exponent - 33;
    addend <<= 10;
    sum = sum < 0 ? -1 : 1;
  } else if (distance >= 0) {
    addend <<= distance;
  } else if (distance >= -40) {
    sum *= Wide{1} << -distance;
    exponent += distance;
  } else {
    sum *= Wide{1} << 40;
    exponent -= 40;
    addend = 1;
  }
  sum += c.sign ? -addend : addend;
  if (sum == 0) return {signed_zero(false, false), 0};
  const bool sign = sum < 0;
  return round_wide(sign, static_cast<WideMagnitude>(sign ? -sum : sum), exponent);
}

}  // namespace

FpResult exact_dot_f16(uint64_t x, uint64_t w, uint32_t c) {
  std::array<Number, 4> xs, ws;
  for (unsigned i = 0; i < 4; ++i) {
    xs[i] = unpack(true, static_cast<uint32_t>(x >> 16 * i) & 0xffff);
    ws[i] = unpack(true, static_cast<uint32_t>(w >> 16 * i) & 0xffff);
  }
  return exact_dot(4, xs.data(), ws.data(), 0, c);
}

FpResult exact_dot_f8(uint32_t xf8, uint64_t x, uint64_t w, uint32_t c) {
  std::array<Number, 8> xs, ws;
  for (unsigned i = 0; i < 8; ++i) {
    xs[i] = unpack_f8((xf8 & 1) != 0, static_cast<uint32_t>(x >> 8 * i));
    ws[i] = unpack_f8((xf8 & 2) != 0, static_cast<uint32_t>(w >> 8 * i));
  }
  return exact_dot(8, xs.data(), ws.data(), f8_scale_of(xf8), c);
}

}  // namespace tessera::model
