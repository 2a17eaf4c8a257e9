#include "tb/float/operands.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace tessera::tb {

using model::FpFormat;
using model::FpOp;
using model::RoundingMode;

namespace {

struct Layout {
  int fraction_bits;
  int exponent_full;
  int bias;
  int sign_shift;
};

constexpr Layout layout_of(FpFormat fmt) {
  return fmt == FpFormat::F16 ? Layout{10, 31, 15, 15} : Layout{23, 255, 127, 31};
}

constexpr uint32_t pack(const Layout& l, uint32_t sign, int exponent, uint32_t fraction) {
  const int field = std::clamp(exponent, 0, l.exponent_full);
  return sign << l.sign_shift | static_cast<uint32_t>(field) << l.fraction_bits |
         (fraction & ((1u << l.fraction_bits) - 1));
}

}  // namespace

uint64_t OperandStream::bits() {  // SplitMix64
  uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t OperandStream::number(FpFormat fmt) {
  const Layout l = layout_of(fmt);
  const uint32_t ones = (1u << l.fraction_bits) - 1;
  const uint64_t r = bits();
  const uint32_t sign = r & 1;
  const uint32_t upper = fmt == FpFormat::F16 ? static_cast<uint32_t>(r >> 32) & 0xffff0000u : 0;
  const uint32_t any = static_cast<uint32_t>(r >> 8);

  uint32_t fraction = any;
  switch ((r >> 1) & 7) {
    case 0:
      fraction = 1u << below(l.fraction_bits);  // one bit
      break;
    case 1:
      fraction = ones << below(l.fraction_bits + 1);  // ones, then zeros
      break;
    case 2:
      fraction = ones >> below(l.fraction_bits + 1);  // zeros, then ones
      break;
    case 3:
      fraction = (any << (l.fraction_bits / 2)) + below(4) - 2;  // upper half random: products make ties
      break;
    default:
      break;
  }
  int exponent;
  switch ((r >> 4) & 15) {
    case 0: {  // the ends: zero, subnormals, infinity and NaN, and their neighbours
      const int ends[] = {0, 0, 1, l.exponent_full - 1, l.exponent_full, l.exponent_full};
      exponent = ends[below(std::size(ends))];
      if (below(2) == 0) fraction = below(3) - 1;  // all ones, none, the last one
      break;
    }
    case 1:
      exponent = 0;
      break;
    case 2:
      exponent = static_cast<int>(below(4));
      break;
    case 3:
      exponent = l.exponent_full - 1 - static_cast<int>(below(3));
      break;
    case 4:
    case 5:
    case 6:
    case 7:
      exponent = l.bias - 4 + static_cast<int>(below(8));  // around one
      break;
    case 8:
      exponent = l.bias + static_cast<int>(below(34));  // around the integers' ends
      break;
    default:
      exponent = static_cast<int>(below(l.exponent_full));
      break;
  }
  return upper | pack(l, sign, exponent, fraction);
}

uint32_t OperandStream::integer() {
  const uint64_t r = bits();
  const uint32_t any = static_cast<uint32_t>(r >> 32);
  switch (r & 7) {
    case 0:
      return below(9) - 4;
    case 1:
      return 0x80000000u + below(9) - 4;
    case 2:
      return (1u << below(32)) + below(5) - 2;
    case 3:
      return 0u - ((1u << below(32)) + below(5) - 2);
    case 4:
      return (0xffffffffu << below(32)) >> below(32);
    case 5:
      return any >> below(32);
    default:
      return any;
  }
}

// Zero, infinity, quiet or signalling NaN, one, or the largest number, of either sign.
uint32_t OperandStream::end_of_range(FpFormat fmt) {
  const Layout l = layout_of(fmt);
  const uint32_t quiet = 1u << (l.fraction_bits - 1);
  const int full = l.exponent_full;
  switch (below(8)) {
    case 0:
    case 1:
      return pack(l, below(2), 0, 0);
    case 2:
    case 3:
      return pack(l, below(2), full, 0);
    case 4:
      return pack(l, below(2), full, quiet | below(2));
    case 5:
      return pack(l, below(2), full, 1u << below(l.fraction_bits - 1));
    case 6:
      return pack(l, below(2), l.bias, 0);
    default:
      return pack(l, below(2), full - 1, 0xffffffffu);
  }
}

// A number with a's significand, or one near it, and an exponent near a's plus the shift; either sign.
uint32_t OperandStream::related(FpFormat fmt, uint32_t a, int exponent_shift) {
  const Layout l = layout_of(fmt);
  const int exponent = static_cast<int>(a >> l.fraction_bits) & l.exponent_full;
  const uint32_t fraction = (below(2) == 0 ? a : static_cast<uint32_t>(bits())) + below(5) - 2;
  return pack(l, below(2), exponent + exponent_shift, fraction);
}

Case OperandStream::next(FpOp op, FpFormat fmt, RoundingMode rm) {
  const Layout l = layout_of(fmt);
  Case result = {op, fmt, rm, 0, 0, 0};
  if (op == FpOp::FCVT_F_W || op == FpOp::FCVT_F_WU) {
    result.a = integer();
    return result;
  }
  result.a = number(op == FpOp::FCVT_H_S ? FpFormat::F32 : op == FpOp::FCVT_S_H ? FpFormat::F16 : fmt);
  result.b = number(fmt);
  result.c = number(fmt);
  if (below(32) == 0) {  // all operands at the ends: infinities, NaNs and zeros meet
    for (uint32_t* x : {&result.a, &result.b, &result.c}) *x = end_of_range(fmt);
  }
  if ((op == FpOp::FCVT_W_F || op == FpOp::FCVT_WU_F) && below(4) == 0) {  // an integer, or beside one
    const FpOp from = below(2) == 0 ? FpOp::FCVT_F_W : FpOp::FCVT_F_WU;
    result.a = model::fp_execute(from, fmt, RoundingMode::RNE, integer(), 0, 0).value + below(3) - 1;
    return result;
  }
  const int a_exponent = static_cast<int>(result.a >> l.fraction_bits) & l.exponent_full;
  const bool fused = op >= FpOp::FMADD && op <= FpOp::FNMADD;
  const bool multiplies = fused || op == FpOp::FMUL;

  switch (below(8)) {
    case 0:  // close to each other: cancellation, equality, quotients near one
      result.b = related(fmt, result.a, static_cast<int>(below(3)) - 1);
      break;
    case 1:  // apart by up to the window of an addition
      result.b = related(fmt, result.a, static_cast<int>(below(4 * l.fraction_bits)) - 2 * l.fraction_bits);
      break;
    case 2:
    case 3:
      if (multiplies || op == FpOp::FDIV) {
        // Result near the smallest normal, the smallest subnormal or the largest number.
        const int low = below(2) == 0 ? 1 : 1 - l.fraction_bits;
        const int target = (below(3) == 0 ? l.exponent_full - 1 : low) + static_cast<int>(below(5)) - 2;
        const int exponent = multiplies ? target - a_exponent + l.bias : a_exponent - target + l.bias;
        result.b = pack(l, below(2), exponent, static_cast<uint32_t>(bits()));
      }
      break;
    default:
      break;
  }
  if (fused) {
    const uint32_t product = model::fp_execute(FpOp::FMUL, fmt, RoundingMode::RTZ, result.a, result.b, 0).value;
    switch (below(4)) {
      case 0:  // cancels the product but for its lower half
        result.c = product + below(3) - 1;
        if (below(2) == 0) result.c ^= 1u << l.sign_shift;
        break;
      case 1:
        result.c = related(fmt, product, static_cast<int>(below(6 * l.fraction_bits)) - 3 * l.fraction_bits);
        break;
      default:
        break;
    }
  }
  return result;
}

}  // namespace tessera::tb
