#include "tb/arithmetic/exact_convert.h"

#include "tb/arithmetic/exact_number.h"

namespace tessera::tb {

using model::FloatControl;
using model::RoundingMode;
namespace flag = model::fp_flag;

namespace {

ExactSum exact(const Decoded& x, int scale = 0) {
  ExactSum sum;
  sum.add(x.negative, x.significand, x.exponent + scale);
  return sum;
}

// The f16 that xfpctl[5:4] wants where a finite number overflows.
uint32_t overflowed(bool negative, uint32_t by_rounding, const FloatControl& control) {
  switch (control.half_overflow) {
    case 0:
      return by_rounding;
    case 1:
      return (negative ? kF16.sign_bit() : 0) | kF16.largest();
    default:
      return kF16.nan();
  }
}

// A finite number other than zero, or what a NaN, an infinity or a zero becomes in f16.
uint32_t to_half(const Decoded& x, int scale, bool stochastic, uint32_t random, RoundingMode rm,
                 const FloatControl& control, uint8_t& flags) {
  const uint32_t sign = x.negative ? kF16.sign_bit() : 0;
  if (x.signalling) flags |= flag::NV;
  if (x.nan) return kF16.nan();
  if (x.infinite) return sign | kF16.infinity();
  if (x.zero()) return sign;
  const ExactSum sum = exact(x, scale);
  const Rounded r = stochastic ? round_sum_stochastic(sum, random) : round_sum(kF16, rm, sum);
  flags |= r.flags;
  return r.overflows ? overflowed(x.negative, r.value, control) : r.value;
}

int scale_of(const FloatControl& control) {
  const int scale = static_cast<int>(control.f8 >> 8 & 63);
  return scale < 32 ? scale : scale - 64;
}

const NumberFormat& f8_of(const FloatControl& control) { return (control.f8 & 1) != 0 ? kF8e5 : kF8e4; }

}  // namespace

uint32_t half_to_single(uint32_t half, uint8_t& flags) {
  const Decoded x = decode_number(kF16, half);
  const uint32_t sign = x.negative ? kF32.sign_bit() : 0;
  if (x.signalling) flags |= flag::NV;
  if (x.nan) return kF32.nan();
  if (x.infinite) return sign | kF32.infinity();
  if (x.zero()) return sign;
  return round_sum(kF32, RoundingMode::RTZ, exact(x)).value;
}

uint32_t single_to_half(uint32_t single, uint32_t random, const FloatControl& control, uint8_t& flags,
                        RoundingMode rm) {
  return to_half(decode_number(kF32, single), 0, control.stochastic, random, rm, control, flags);
}

uint32_t f8_to_half(uint32_t byte, const FloatControl& control, uint8_t& flags) {
  return to_half(decode_number(f8_of(control), byte), scale_of(control), false, 0, control.rm, control, flags);
}

uint32_t half_to_f8(uint32_t half, const FloatControl& control, uint8_t& flags) {
  const NumberFormat& f = f8_of(control);
  const Decoded x = decode_number(kF16, half);
  const uint32_t sign = x.negative ? f.sign_bit() : 0;
  const uint32_t too_large = control.half_overflow >= 2 ? f.nan() : sign | f.largest();
  if (x.signalling) flags |= flag::NV;
  if (x.nan) return f.nan();
  if (x.infinite) return too_large;
  if (x.zero()) return 0;
  const Rounded r = round_sum(f, control.rm, exact(x, -scale_of(control)));
  flags |= r.flags;
  if (r.overflows) return too_large;
  return r.value == f.sign_bit() ? 0 : r.value;  // there is no negative zero
}

uint32_t even_from_unsigned(uint32_t u, bool half) {
  const int bits = half ? 16 : 32;
  ExactSum sum;
  sum.add(false, u, -bits);
  sum.add(false, 1, -bits - 1);
  sum.add(true, 1, -1);
  return round_sum(half ? kF16 : kF32, RoundingMode::RNE, sum).value;
}

uint64_t random_mask(uint64_t x, uint64_t p, uint64_t random, unsigned lane_bits) {
  if ((p >> 16 & 1) != 0) return x;
  uint64_t result = 0;
  for (unsigned i = 0; i < 64 / lane_bits; ++i) {
    const uint64_t lane = ((uint64_t{1} << lane_bits) - 1) << lane_bits * i;
    if ((random >> 16 * i & 0xffff) < (p & 0xffff)) result |= x & lane;
  }
  return result;
}

}  // namespace tessera::tb
