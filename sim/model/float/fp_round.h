// Rounding of a finite result to f32 or f16, as fp_round.sv does it.
#pragma once

#include "sim/model/float/fpu.h"

namespace tessera::model {

// The value is significand / 2^63 * 2^exponent. Bit 63 is set, or `exponent` is the smallest normal one (a subnormal),
// or the significand is zero. Bit 0 may stand for lower bits. Tininess is detected after rounding: a subnormal does not
// underflow when rounding it to full precision with an unbounded exponent reaches the smallest normal.
inline FpResult fp_round(bool f16, RoundingMode rm, bool sign, int exponent, uint64_t significand) {
  const int dropped = f16 ? 53 : 40;  // bits below the kept ones
  const uint64_t fraction_ones = f16 ? 0x3ff : 0x7fffff;
  const int bias = f16 ? 15 : 127;
  const int fraction_bits = f16 ? 10 : 23;
  const uint32_t infinity = f16 ? 0x7c00u : 0x7f800000u;
  const uint32_t sign_bit = f16 ? uint32_t{sign} << 15 : uint32_t{sign} << 31;

  const uint64_t half = uint64_t{1} << (dropped - 1);
  const uint64_t kept = significand >> dropped;
  const uint64_t lost = significand & (2 * half - 1);
  const bool away = rm == (sign ? RoundingMode::RDN : RoundingMode::RUP);  // rounds magnitudes up
  const bool to_nearest = rm == RoundingMode::RNE || rm == RoundingMode::RMM;
  // Rounds `rest`, below the weight 2 * middle, up? `odd`: the last kept bit.
  const auto rounds_up = [&](uint64_t rest, uint64_t middle, bool odd) {
    if (!to_nearest) return away && rest != 0;
    return rest > middle || (rest == middle && (odd || rm == RoundingMode::RMM));
  };
  const bool up = rounds_up(lost, half, (kept & 1) != 0);
  const bool inexact = lost != 0;

  const bool normal = (significand >> 63) != 0;
  uint64_t magnitude = (kept & fraction_ones) + up;
  bool tiny = false;
  if (normal) {
    magnitude += static_cast<uint64_t>(exponent + bias) << fraction_bits;
  } else if (inexact) {
    const bool reaches_normal =
        kept == fraction_ones && (lost & half) != 0 && rounds_up(lost & (half - 1), half >> 1, true);
    tiny = !reaches_normal;
  }
  if (magnitude >= infinity) {
    const uint32_t value = away || to_nearest ? infinity : infinity - 1;
    return {sign_bit | value, fp_flag::OF | fp_flag::NX};
  }
  const uint8_t flags = static_cast<uint8_t>((tiny ? fp_flag::UF : 0) | (inexact ? fp_flag::NX : 0));
  return {sign_bit | static_cast<uint32_t>(magnitude), flags};
}

}  // namespace tessera::model
