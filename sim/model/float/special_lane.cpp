#include "sim/model/float/special_lane.h"

#include <algorithm>
#include <bit>

#include "sim/model/float/fp_round.h"
#include "sim/model/float/number.h"
#include "special_tables.h"

namespace tessera::model {
namespace {

constexpr uint64_t kOne = uint64_t{1} << 31;  // of tables and factors

// A position in a table: bits 31:25 are the segment, the rest the place in it. Returns the polynomial's value, < 2^32.
uint64_t polynomial(unsigned table, uint32_t position) {
  const special::Segment& s = special::kSegments[table * 128 + (position >> 25)];
  const int64_t t = position & 0x1ffffff;
  const int64_t slope = s.c1 + ((s.c2 * t) >> 25);
  return static_cast<uint64_t>(s.c0 + ((slope * t) >> 25));
}

// The result is (addend +- (factor * table >> shift)) / 2^62 * 2^exponent.
struct Plan {
  unsigned table = 0;
  uint32_t position = 0;
  uint64_t factor = kOne;
  int64_t addend = 0;
  unsigned shift = 0;
  int exponent = 0;
  bool subtract = false;
  bool sign = false;
};

// Operand with a leading one in bit 23, if it is not zero.
struct Operand {
  bool sign;
  int exponent;
  uint32_t significand;
  uint32_t fraction() const { return significand & 0x7fffff; }
};

// 2 to the power of x times `scale` / 2^38.
Plan exponential(const Operand& x, uint64_t scale) {
  if (x.exponent >= 8) return {.table = special::kExp2, .exponent = x.sign ? -300 : 300};
  const int shift = 29 - x.exponent;
  const uint64_t magnitude = shift > 63 ? 0 : (x.significand * scale) >> shift;
  const int64_t power = x.sign ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
  return {.table = special::kExp2, .position = static_cast<uint32_t>(power), .exponent = static_cast<int>(power >> 32)};
}

Plan logarithm(const Operand& x, unsigned table, int64_t unit) {
  const bool halved = x.fraction() >> 16 >= special::kLogTurn;
  const uint64_t distance = halved ? (1u << 24) - x.significand : x.fraction() << 1;  // from 1, in 2^-24
  return {.table = table,
          .position = x.fraction() << 9,
          .factor = distance << 7,
          .addend = (x.exponent + halved) * unit,
          .shift = 7,
          .exponent = 7,
          .subtract = halved};
}

// Of |z|, z with x's significand and the given exponent.
Plan hyperbolic_tangent(const Operand& x, int exponent) {
  if (exponent < 0) {
    const uint32_t position = exponent >= -9   ? x.significand << (9 + exponent)
                              : exponent > -33 ? x.significand >> (-9 - exponent)
                                               : 0;
    return {.table = special::kTanhRatio,
            .position = position,
            .factor = uint64_t{x.significand} << 8,
            .exponent = exponent};
  }
  const unsigned table = special::kTanh1 + static_cast<unsigned>(std::min(exponent, 3));
  return {.table = table, .position = exponent > 3 ? ~0u : x.fraction() << 9};
}

// (1 +- tanh(x / 2)) / 2; far below zero, where that keeps too few bits for an f32, exp(x) times the value at -x.
Plan sigmoid(const Operand& x, bool f16) {
  const Plan tanh = hyperbolic_tangent(x, x.exponent - 1);
  if (!f16 && x.sign && x.exponent >= 1) {
    Plan plan = exponential(x, special::kLog2E);
    plan.factor = (kOne + polynomial(tanh.table, tanh.position)) >> 1;
    return plan;
  }
  Plan plan = tanh;
  plan.addend = int64_t{1} << 62;
  plan.shift = static_cast<unsigned>(std::min(-tanh.exponent, 63));
  plan.exponent = -1;
  plan.subtract = x.sign;
  return plan;
}

Plan reciprocal_sqrt(const Operand& x) {
  const bool odd = (x.exponent & 1) != 0;
  return {.table = odd ? special::kOorxOdd : special::kOorxEven,
          .position = x.fraction() << 9,
          .exponent = -(x.exponent >> 1)};
}

Plan gauss(uint32_t random) {
  const bool upper = random >> 31 != 0;
  const uint32_t tail = (upper ? ~random : random) << 1 | 1;  // the smaller tail's probability, in 2^-33
  const unsigned octave = static_cast<unsigned>(std::countl_zero(tail));
  const uint32_t within = tail << octave << 1;  // leading one dropped
  const uint32_t segment = octave << 4 | within >> 28;
  return {.table = special::kGauss0 + (segment >> 7),
          .position = (segment & 127) << 25 | (within >> 3 & 0x1ffffff),
          .exponent = 3,
          .sign = !upper};
}

Plan plan_of(SpecialFunction function, bool f16, const Operand& x) {
  switch (function) {
    case SpecialFunction::Exp:
      return exponential(x, special::kLog2E);
    case SpecialFunction::Exp2:
      return exponential(x, uint64_t{1} << 38);
    case SpecialFunction::Ln:
      return logarithm(x, special::kLn, special::kLn2);
    case SpecialFunction::Log2:
      return logarithm(x, special::kLog2, int64_t{1} << 55);
    case SpecialFunction::Tanh: {
      Plan plan = hyperbolic_tangent(x, x.exponent);
      plan.sign = x.sign;
      return plan;
    }
    case SpecialFunction::Sigmoid:
      return sigmoid(x, f16);
    case SpecialFunction::Reciprocal:
      return {.table = x.fraction() >> 22 != 0 ? special::kOoxHigh : special::kOoxLow,
              .position = x.fraction() << 10,
              .exponent = -x.exponent,
              .sign = x.sign};
    case SpecialFunction::Sqrt: {
      Plan plan = reciprocal_sqrt(x);
      plan.factor = uint64_t{x.significand} << 8;
      plan.exponent = x.exponent + plan.exponent;
      plan.sign = x.sign;  // of a zero
      return plan;
    }
    case SpecialFunction::ReciprocalSqrt:
      return reciprocal_sqrt(x);
    case SpecialFunction::Gauss:
      break;
  }
  return {};
}

FpResult finish(const Plan& plan, bool f16) {
  const uint64_t product = plan.factor * polynomial(plan.table, plan.position);
  const int64_t term = static_cast<int64_t>(product >> plan.shift);
  const int64_t total = plan.subtract ? plan.addend - term : plan.addend + term;
  const bool sign = plan.sign != (total < 0);
  const uint64_t magnitude = static_cast<uint64_t>(total < 0 ? -total : total);
  const int least = exponent_min(f16);
  if (magnitude == 0) return {signed_zero(f16, sign), 0};
  const int zeros = std::countl_zero(magnitude);
  const int exponent = plan.exponent + 1 - zeros;
  const uint64_t normal = magnitude << zeros;
  if (exponent >= least) return fp_round(f16, RoundingMode::RNE, sign, exponent, normal);
  return fp_round(f16, RoundingMode::RNE, sign, least, shift_right_sticky(normal, least - exponent));
}

bool is_logarithm(SpecialFunction f) { return f == SpecialFunction::Ln || f == SpecialFunction::Log2; }
bool is_root(SpecialFunction f) { return f == SpecialFunction::Sqrt || f == SpecialFunction::ReciprocalSqrt; }

}  // namespace

FpResult special_lane(SpecialFunction function, bool f16, uint32_t x_bits) {
  if (function == SpecialFunction::Gauss) return {finish(gauss(x_bits), f16).value, 0};

  const Number x = unpack(f16, x_bits);
  const bool inverts = function == SpecialFunction::Reciprocal || function == SpecialFunction::ReciprocalSqrt;
  const bool negative = x.sign && !x.zero();
  if (x.nan) return {canonical_nan(f16), x.signalling ? fp_flag::NV : uint8_t{0}};
  if (negative && (is_logarithm(function) || is_root(function))) return {canonical_nan(f16), fp_flag::NV};
  if (x.zero() && is_logarithm(function)) return {signed_infinity(f16, true), fp_flag::DZ};
  if (x.zero() && inverts) return {signed_infinity(f16, x.sign), fp_flag::DZ};
  if (x.infinite && inverts) return {signed_zero(f16, x.sign), 0};
  if (x.infinite && (is_logarithm(function) || is_root(function))) return {signed_infinity(f16, false), 0};

  const int zeros = x.zero() ? 0 : std::countl_zero(x.significand) - 8;
  const Operand operand{x.sign, x.exponent - zeros, x.significand << zeros};
  const FpResult result = finish(plan_of(function, f16, operand), f16);
  const bool subnormal_operand = x.significand >> 23 == 0;
  const bool small_result = (result.value & (f16 ? 0x7c00u : 0x7f800000u)) == 0;
  uint8_t flags = 0;
  if (!x.infinite) {
    flags = result.flags & fp_flag::OF;
    if (small_result && !subnormal_operand && !is_logarithm(function)) flags |= fp_flag::UF;
  }
  return {result.value, flags};
}

}  // namespace tessera::model
