// sqrtf, cbrtf, hypotf and the functions that are one instruction.
#include <math.h>

#include "float_bits.h"

float sqrtf(float x) { return __builtin_sqrtf(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
float fminf(float x, float y) { return __builtin_fminf(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
float nanf(const char* tag) { return (void)tag, __builtin_nanf(""); }

float cbrtf(float x) {
  if (x == 0 || magnitude_bits(x) >= INFINITY_BITS) return x + x;
  float magnitude = __builtin_fabsf(x), factor = 1.0f;
  if (magnitude < 0x1p-126f) magnitude *= 0x1p24f, factor = 0x1p-8f;
  // A third of the exponent gives a few bits, Newton's steps on t^3 = x the others.
  float t = float_of(bits_of(magnitude) / 3 + 0x2a5137a0u);
  for (int i = 0; i < 3; ++i) t = t - (t - magnitude / (t * t)) * (1.0f / 3.0f);
  // One more with the residual exact: t^3 as a pair.
  const float square = t * t, square_low = __builtin_fmaf(t, t, -square);
  const float residual = __builtin_fmaf(-square, t, magnitude) - square_low * t;
  t += residual / (3.0f * square);
  return __builtin_copysignf(t * factor, x);
}

float hypotf(float x, float y) {
  const float a = __builtin_fmaxf(__builtin_fabsf(x), __builtin_fabsf(y));
  const float b = __builtin_fminf(__builtin_fabsf(x), __builtin_fabsf(y));
  if (__builtin_fabsf(x) == INFINITY || __builtin_fabsf(y) == INFINITY) return INFINITY;
  if (is_nan(x) || is_nan(y)) return x + y;
  if (a == 0 || a * 0x1p-13f >= b) return a;
  // Squares that neither overflow nor lose bits.
  const float up = a > 0x1p60f ? 0x1p-70f : a < 0x1p-50f ? 0x1p90f : 1.0f;
  const float down = a > 0x1p60f ? 0x1p70f : a < 0x1p-50f ? 0x1p-90f : 1.0f;
  const float p = a * up, q = b * up;
  const float square = p * p, low = __builtin_fmaf(p, p, -square);
  return __builtin_sqrtf(square + (__builtin_fmaf(q, q, low))) * down;
}
