// fmodf, remainderf, remquof. Exact.
#include <math.h>

#include "float_bits.h"

// |x| = m * 2^e with m below 2^24, for finite x.
static uint32_t take_apart(float x, int* e) {
  const uint32_t magnitude = magnitude_bits(x);
  const int exponent = (int)(magnitude >> 23);
  *e = exponent == 0 ? -149 : exponent - 150;
  return exponent == 0 ? magnitude : (magnitude & 0x7fffffu) | 0x800000u;
}

// |x| mod |y| for finite arguments, y not 0, with the low bits of the quotient.
static float magnitude_remainder(float x, float y, uint32_t* quotient) {
  int ex, ey;
  uint32_t mx = take_apart(x, &ex);
  const uint32_t my = take_apart(y, &ey);
  *quotient = 0;
  if (ex < ey) {
    // x is smaller than y, or y has low bits to spare: bring y's scale down exactly if it is near enough.
    if (ey - ex >= 32 || ((uint64_t)my << (ey - ex)) > mx) return __builtin_fabsf(x);
    const uint32_t divisor = my << (ey - ex);
    *quotient = mx / divisor;
    return ldexpf((float)(mx % divisor), ex);
  }
  *quotient = mx / my, mx %= my;
  for (int steps = ex - ey; steps > 0;) {
    const int step = steps < 8 ? steps : 8;
    mx <<= step;
    *quotient = *quotient << step | mx / my;
    mx %= my;
    steps -= step;
  }
  return ldexpf((float)mx, ey);
}

float fmodf(float x, float y) {
  if (is_nan(x) || is_nan(y) || magnitude_bits(x) >= INFINITY_BITS || y == 0) return (x * y) / (x * y);
  if (magnitude_bits(y) == INFINITY_BITS) return x;
  uint32_t quotient;
  return __builtin_copysignf(magnitude_remainder(x, y, &quotient), x);
}

float remquof(float x, float y, int* quotient) {
  *quotient = 0;
  if (is_nan(x) || is_nan(y) || magnitude_bits(x) >= INFINITY_BITS || y == 0) return (x * y) / (x * y);
  if (magnitude_bits(y) == INFINITY_BITS) return x;
  uint32_t q;
  float r = magnitude_remainder(x, y, &q);
  const float magnitude = __builtin_fabsf(y);
  // Nearest instead of towards zero: r > y/2, or a tie with an odd quotient. r and y - r are both exact.
  const float other = magnitude - r;
  if (r > other || (r == other && (q & 1) != 0)) r = -other, ++q;
  const int low = (int)(q & 0x7fffffffu);
  *quotient = __builtin_signbit(x) != __builtin_signbit(y) ? -low : low;
  if (r == 0) return __builtin_copysignf(0.0f, x);
  return __builtin_signbit(x) ? -r : r;
}

float remainderf(float x, float y) {
  int quotient;
  return remquof(x, y, &quotient);
}
