// atanf, atan2f, asinf, acosf: within 3 ulp.
#include <math.h>

#include "float_bits.h"

#define PI_HIGH 0x1.921fb6p+1f
#define PI_LOW -0x1.777a5cp-24f
#define PIO2_HIGH 0x1.921fb6p+0f
#define PIO2_LOW -0x1.777a5cp-25f
#define PIO4_HIGH 0x1.921fb6p-1f
#define PIO4_LOW -0x1.777a5cp-26f
#define TAN_PIO8 0.41421356f

// atan(t) - t for |t| <= tan(pi/8)
static float atan_tail(float t) {
  const float z = t * t;
  float p = -6.078862026e-02f;
  p = __builtin_fmaf(p, z, 1.059427857e-01f);
  p = __builtin_fmaf(p, z, -1.424362957e-01f);
  p = __builtin_fmaf(p, z, 1.999847889e-01f);
  p = __builtin_fmaf(p, z, -3.333331645e-01f);
  return p * z * t;
}

// atan(y / x) for 0 <= y, 0 <= x, not both zero and not both infinite.
static float atan_of_quotient(float y, float x) {
  const int swapped = y > x;
  const float small = swapped ? x : y, large = swapped ? y : x;
  const float t = small / large;
  float high = 0, low = 0, value;
  if (t > TAN_PIO8) {
    // atan(t) = pi/4 + atan((t - 1) / (t + 1))
    const float u = (t - 1.0f) / (t + 1.0f);
    high = PIO4_HIGH, low = PIO4_LOW + atan_tail(u), value = u;
  } else {
    low = atan_tail(t), value = t;
  }
  if (!swapped) return high + (low + value);
  return PIO2_HIGH - high + ((PIO2_LOW - low) - value);
}

float atanf(float x) {
  if (is_nan(x) || x == 0) return x;
  const float magnitude = __builtin_fabsf(x);
  const float value = magnitude == INFINITY ? PIO2_HIGH : atan_of_quotient(magnitude, 1.0f);
  return __builtin_copysignf(value, x);
}

float atan2f(float y, float x) {
  if (is_nan(x) || is_nan(y)) return x + y;
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y);
  float value;
  if (ay == 0) {
    value = 0;
  } else if (ax == INFINITY && ay == INFINITY) {
    value = PIO4_HIGH;
  } else {
    // Denormal arguments lose nothing when both are scaled up.
    const float factor = ax < 0x1p-100f && ay < 0x1p-100f ? 0x1p40f : 1.0f;
    value = atan_of_quotient(ay * factor, ax * factor);
  }
  if (__builtin_signbit(x)) value = PI_HIGH - (value - PI_LOW);
  return __builtin_copysignf(value, y);
}

// asin(x) - x for |x| <= 1/2
static float asin_tail(float x) {
  const float z = x * x;
  float p = 3.757837415e-02f;
  p = __builtin_fmaf(p, z, 1.439361367e-02f);
  p = __builtin_fmaf(p, z, 3.181988373e-02f);
  p = __builtin_fmaf(p, z, 4.451546073e-02f);
  p = __builtin_fmaf(p, z, 7.500512153e-02f);
  p = __builtin_fmaf(p, z, 1.666665971e-01f);
  return p * z * x;
}

// acos(x) for 1/2 < x <= 1
static float acos_near_one(float x) {
  const float z = 0.5f * (1.0f - x);
  const float s = __builtin_sqrtf(z);
  // What the root lost: z = (s + lost)^2.
  const float lost = s == 0 ? 0 : __builtin_fmaf(-s, s, z) / (s + s);
  return 2.0f * (s + (asin_tail(s) + lost));
}

float asinf(float x) {
  const float magnitude = __builtin_fabsf(x);
  if (!(magnitude <= 1.0f)) return (x - x) / (x - x);
  if (magnitude <= 0.5f) return magnitude < 0x1p-12f ? x : x + asin_tail(x);
  return __builtin_copysignf(PIO2_HIGH - (acos_near_one(magnitude) - PIO2_LOW), x);
}

float acosf(float x) {
  const float magnitude = __builtin_fabsf(x);
  if (!(magnitude <= 1.0f)) return (x - x) / (x - x);
  if (magnitude <= 0.5f) return PIO2_HIGH - (x - (PIO2_LOW - asin_tail(x)));
  const float value = acos_near_one(magnitude);
  return x < 0 ? PI_HIGH - (value - PI_LOW) : value;
}
