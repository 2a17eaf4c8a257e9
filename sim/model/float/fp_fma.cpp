#include "sim/model/float/fp_fma.h"

#include <algorithm>
#include <cmath>

#include "sim/model/float/fp_fma_nearest.h"
#include "sim/model/float/fp_round.h"
#include "sim/model/float/number.h"

namespace tessera::model {
namespace {

// a * b + c with the signs of product and addend given by the operation. A multiplication has no addend (c is a zero
// with the sign of the product), an addition has the product a * 1.
FpResult multiply_add(bool f16, FpOp op, RoundingMode rm, uint32_t a_bits, uint32_t b_bits, uint32_t c_bits) {
  const bool sum = op == FpOp::FADD || op == FpOp::FSUB;
  const Number a = unpack(f16, a_bits);
  const Number b = sum ? unpack(false, 0x3f800000u) : unpack(f16, b_bits);
  Number c = unpack(f16, op == FpOp::FMUL ? 0 : (sum ? b_bits : c_bits));
  const bool negates_product = op == FpOp::FNMSUB || op == FpOp::FNMADD;
  const bool negates_addend = op == FpOp::FSUB || op == FpOp::FMSUB || op == FpOp::FNMADD;
  const bool product_sign = (a.sign != b.sign) != negates_product;
  c.sign = op == FpOp::FMUL ? product_sign : c.sign != negates_addend;

  const bool product_infinite = a.infinite || b.infinite;
  const bool product_zero = a.zero() || b.zero();
  const bool any_nan = a.nan || b.nan || c.nan;
  const bool invalid = a.signalling || b.signalling || c.signalling || (product_infinite && product_zero) ||
                       (product_infinite && c.infinite && product_sign != c.sign && !any_nan);
  if (any_nan || invalid) return {canonical_nan(f16), invalid ? fp_flag::NV : uint8_t{0}};
  if (product_infinite) return {signed_infinity(f16, product_sign), 0};
  if (c.infinite) return {signed_infinity(f16, c.sign), 0};

  // A 64-bit window whose bit 62 has the weight 2^exponent; the smaller term is aligned to the larger.
  const int product_exponent = a.exponent + b.exponent + 1;
  const uint64_t product = (uint64_t{a.significand} * b.significand) << 15;
  const uint64_t addend = uint64_t{c.significand} << 39;
  const bool product_larger = product_exponent >= c.exponent && !product_zero;
  const int exponent = product_larger ? product_exponent : c.exponent;
  const uint64_t larger = product_larger ? product : addend;
  const uint64_t smaller = product_larger ? shift_right_sticky(addend, product_exponent - c.exponent)
                           : product_zero ? 0
                                          : shift_right_sticky(product, c.exponent - product_exponent);
  bool sign = product_larger ? product_sign : c.sign;
  uint64_t magnitude;
  if (product_sign == c.sign) {
    magnitude = larger + smaller;
  } else if (larger >= smaller) {
    magnitude = larger - smaller;
    if (magnitude == 0) sign = rm == RoundingMode::RDN;
  } else {
    magnitude = smaller - larger;
    sign = !sign;
  }
  if (magnitude == 0) return {signed_zero(f16, sign), 0};
  const int shift = std::min(std::countl_zero(magnitude), exponent + 1 - exponent_min(f16));
  return fp_round(f16, rm, sign, exponent + 1 - shift, magnitude << shift);
}

bool finite(uint32_t half) { return (half & 0x7c00u) != 0x7c00u; }

double number(uint32_t half) {
  // The bits as a double with f16's bias: subnormal for subnormals, and exact after the scaling.
  const double magnitude = std::bit_cast<double>(uint64_t{half & 0x7fff} << 42) * 0x1p1008;
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

// To f16, nearest-even. False unless the result is a normal number or an exact zero.
bool round_to_half(double x, FpResult& result) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const uint64_t magnitude = bits & 0x7fffffffffffffffu;
  const uint32_t sign = static_cast<uint32_t>(bits >> 48) & 0x8000u;
  if (magnitude == 0) {
    result = {sign, 0};
    return true;
  }
  if (magnitude < std::bit_cast<uint64_t>(0x1p-14) || magnitude >= std::bit_cast<uint64_t>(65520.0)) return false;
  const uint64_t rebiased = magnitude - (uint64_t{1008} << 52);
  const uint64_t rounded = (rebiased + 0x1ffffffffff + (rebiased >> 42 & 1)) >> 42;
  result = {sign | static_cast<uint32_t>(rounded), (magnitude & 0x3ffffffffff) != 0 ? fp_flag::NX : uint8_t{0}};
  return true;
}

// f16 to nearest even. Products of halves are exact in double; the sum may not be, and then it is rounded to odd (its
// error is known exactly), which makes the second rounding, to f16, the only one. False where flags other than NX could
// be due, or an operand is not finite.
bool multiply_add_halves(FpOp op, uint32_t a_bits, uint32_t b_bits, uint32_t c_bits, FpResult& result) {
  if (!finite(a_bits) || !finite(b_bits)) return false;
  const double a = number(a_bits);
  const double b = number(b_bits);
  double product;
  double addend;
  switch (op) {
    case FpOp::FADD:
    case FpOp::FSUB:
      product = a;
      addend = op == FpOp::FADD ? b : -b;
      break;
    case FpOp::FMUL:
      product = a * b;
      addend = std::copysign(0.0, product);
      break;
    default:
      if (!finite(c_bits)) return false;
      product = a * b;
      if (op == FpOp::FNMSUB || op == FpOp::FNMADD) product = -product;
      addend = number(c_bits);
      if (op == FpOp::FMSUB || op == FpOp::FNMADD) addend = -addend;
      break;
  }
  double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  if (error != 0) {
    auto bits = std::bit_cast<uint64_t>(sum);
    if ((bits & 1) == 0) {
      bits += (error > 0) == (sum > 0) ? 1 : -1;
      sum = std::bit_cast<double>(bits);
    }
  }
  return round_to_half(sum, result);
}

}  // namespace

FpResult fp_fma_by_integers(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c) {
  return fmt == FpFormat::F16 ? multiply_add(true, op, rm, a, b, c) : multiply_add(false, op, rm, a, b, c);
}

FpResult fp_fma(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c) {
  if (rm == RoundingMode::RNE) {
    FpResult result{0, 0};
    if (fmt == FpFormat::F16 ? multiply_add_halves(op, a, b, c, result)
                             : fma_nearest_f32(op, a, b, c, result.value, result.flags)) {
      return result;
    }
  }
  return fp_fma_by_integers(op, fmt, rm, a, b, c);
}

}  // namespace tessera::model
