// f32 results to nearest even by the host's double, where that is exact enough to be the only rounding. Of a file that
// includes this, every operation has to be rounded by itself (CMakeLists.txt).
//
// The product of two f32 is exact in double. The sum with the addend may not be; but it lies on the same side of every
// number that stands halfway between two f32, since those are doubles, unless it is one of them itself.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/model/float/fpu.h"

namespace tessera::model {

// Rounds product + addend, of which `sum` is the rounded sum in double, and adds NX to the flags when it is inexact.
// False, and nothing done: other flags could be due, an operand is no number, or the sum looks like a tie and is none.
inline bool round_nearest_f32(double product, double addend, double sum, uint32_t& result, uint8_t& flags) {
  const auto error = [=] {
    const double part = sum - product;
    return (product - (sum - part)) + (addend - part);
  };
  if ((std::bit_cast<uint64_t>(sum) & 0x1fffffff) == 0x10000000 && error() != 0) return false;
  const float rounded = static_cast<float>(sum);
  const auto bits = std::bit_cast<uint32_t>(rounded);
  // Not above the smallest normal number, where the result might be tiny before it is rounded, or not finite.
  if ((bits & 0x7fffffffu) - 0x00800001u >= 0x7f800000u - 0x00800001u && sum != 0) return false;
  result = bits;
  if ((flags & fp_flag::NX) == 0 && (static_cast<double>(rounded) != sum || error() != 0)) flags |= fp_flag::NX;
  return true;
}

// The same of an operation as fp_fma() takes it; operands as bits.
inline bool fma_nearest_f32(FpOp op, uint32_t a_bits, uint32_t b_bits, uint32_t c_bits, uint32_t& result,
                            uint8_t& flags) {
  const auto number = [](uint32_t x) { return static_cast<double>(std::bit_cast<float>(x)); };
  const double a = number(a_bits), b = number(b_bits);
  switch (op) {
    case FpOp::FADD:
      return round_nearest_f32(a, b, a + b, result, flags);
    case FpOp::FSUB:
      return round_nearest_f32(a, -b, a - b, result, flags);
    case FpOp::FMUL:
      return round_nearest_f32(a * b, 0, a * b, result, flags);
    default:
      break;
  }
  const bool negates_product = op == FpOp::FNMSUB || op == FpOp::FNMADD;
  const bool negates_addend = op == FpOp::FMSUB || op == FpOp::FNMADD;
  const double product = negates_product ? -(a * b) : a * b;
  const double addend = negates_addend ? -number(c_bits) : number(c_bits);
  return round_nearest_f32(product, addend, product + addend, result, flags);
}

}  // namespace tessera::model
