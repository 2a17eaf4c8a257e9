// Rounding to integers, and taking floats apart and together. Exact.
#include <math.h>

#include "float_bits.h"

#define WHOLE 0x1p23f  // from here on every float is an integer

float truncf(float x) {
  if (!(__builtin_fabsf(x) < WHOLE)) return x;
  return __builtin_copysignf((float)(int)x, x);
}

float floorf(float x) {
  if (!(__builtin_fabsf(x) < WHOLE)) return x;
  const float whole = (float)(int)x;
  return __builtin_copysignf(whole > x ? whole - 1.0f : whole, x);
}

float ceilf(float x) {
  if (!(__builtin_fabsf(x) < WHOLE)) return x;
  const float whole = (float)(int)x;
  return __builtin_copysignf(whole < x ? whole + 1.0f : whole, x);
}

float roundf(float x) {
  if (!(__builtin_fabsf(x) < WHOLE)) return x;
  const float magnitude = __builtin_fabsf(x), whole = (float)(int)magnitude;
  return __builtin_copysignf(magnitude - whole >= 0.5f ? whole + 1.0f : whole, x);
}

float rintf(float x) {
  if (!(__builtin_fabsf(x) < WHOLE)) return x;
  return __builtin_copysignf((float)nearest_int(x), x);
}

float nearbyintf(float x) { return rintf(x); }

long lrintf(float x) { return nearest_int(x); }

long lroundf(float x) { return (long)roundf(x); }

long long llrintf(float x) { return (long long)rintf(x); }

long long llroundf(float x) { return (long long)roundf(x); }

float modff(float x, float* whole) {
  *whole = truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x) == INFINITY ? 0.0f : x - *whole, x);
}

float ldexpf(float x, int exponent) {
  if (exponent > 300) exponent = 300;
  if (exponent < -300) exponent = -300;
  return scale(x, exponent);
}

float scalbnf(float x, int exponent) { return ldexpf(x, exponent); }

float scalblnf(float x, long exponent) {
  return ldexpf(x, exponent > 300 ? 300 : exponent < -300 ? -300 : (int)exponent);
}

float frexpf(float x, int* exponent) {
  *exponent = 0;
  if (x == 0 || magnitude_bits(x) >= INFINITY_BITS) return x;
  int shift = 0;
  if (__builtin_fabsf(x) < 0x1p-126f) x *= 0x1p25f, shift = -25;
  *exponent = (int)(magnitude_bits(x) >> 23) - 126 + shift;
  return float_of((bits_of(x) & 0x807fffffu) | 0x3f000000u);
}

int ilogbf(float x) {
  if (x == 0) return FP_ILOGB0;
  if (is_nan(x)) return FP_ILOGBNAN;
  if (__builtin_fabsf(x) == INFINITY) return 2147483647;
  int exponent;
  frexpf(x, &exponent);
  return exponent - 1;
}

float logbf(float x) {
  if (x == 0) return -1.0f / (x * x);
  if (magnitude_bits(x) >= INFINITY_BITS) return x * x;
  return (float)ilogbf(x);
}

float nextafterf(float x, float towards) {
  if (is_nan(x) || is_nan(towards)) return x + towards;
  if (x == towards) return towards;
  if (x == 0) return __builtin_copysignf(0x1p-149f, towards);
  const int away_from_zero = (x < towards) == (x > 0);
  return float_of(bits_of(x) + (away_from_zero ? 1u : -1u));
}
