// logf, log2f, log10f, log1pf.
#include <math.h>

#include "float_bits.h"

#define LN2_HIGH 0x1.62e4p-1f  // 15 bits: products with an exponent are exact
#define LN2_LOW 0x1.7f7d1cp-20f
#define LOG2_E_HIGH 0x1.715476p+0f
#define LOG2_E_LOW 0x1.4ae0cp-26f
#define LOG10_E_HIGH 0x1.bcb7b2p-2f
#define LOG10_E_LOW -0x1.5b235ep-27f
#define LOG10_2_HIGH 0x1.344p-2f  // 11 bits: products with an exponent are exact
#define LOG10_2_LOW 0x1.3509f8p-18f

// x = 2^k * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), for finite x > 0.
static inline float split(float x, int* k) {
  int exponent = 0;
  if (x < 0x1p-126f) x *= 0x1p25f, exponent = -25;
  // Counted from sqrt(1/2), the exponent field steps where the mantissa passes sqrt(2).
  const uint32_t bits = bits_of(x) - 0x3f3504f3u;
  *k = exponent + ((int32_t)bits >> 23);
  return float_of((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
}

// log(1 + f) - f
static inline float log_tail(float f) {
  float p = 6.916807592e-02f;
  p = __builtin_fmaf(p, f, -1.179169267e-01f);
  p = __builtin_fmaf(p, f, 1.187333241e-01f);
  p = __builtin_fmaf(p, f, -1.238407269e-01f);
  p = __builtin_fmaf(p, f, 1.421858072e-01f);
  p = __builtin_fmaf(p, f, -1.666926295e-01f);
  p = __builtin_fmaf(p, f, 2.000223100e-01f);
  p = __builtin_fmaf(p, f, -2.499998659e-01f);
  p = __builtin_fmaf(p, f, 3.333331048e-01f);
  p = __builtin_fmaf(p, f, -0.5f);
  return p * (f * f);
}

// What all logarithms have in common outside (0, infinity); true if *result is the answer.
static inline int special(float x, float* result) {
  if (x > 0 && x < INFINITY) return 0;
  if (x == 0) {
    *result = -1.0f / (x * x);
  } else if (x < 0) {
    *result = (x - x) / 0.0f;
  } else {
    *result = x;
  }
  return 1;
}

float logf(float x) {
  float result;
  if (special(x, &result)) return result;
  int k;
  const float f = split(x, &k), n = (float)k;
  return __builtin_fmaf(n, LN2_HIGH, f + __builtin_fmaf(n, LN2_LOW, log_tail(f)));
}

float log2f(float x) {
  float result;
  if (special(x, &result)) return result;
  int k;
  const float f = split(x, &k), tail = log_tail(f);
  // log2(e) * (f + tail), the large product with its rounding error.
  const float high = f * LOG2_E_HIGH;
  const float error = __builtin_fmaf(f, LOG2_E_HIGH, -high);
  const float low = __builtin_fmaf(tail, LOG2_E_HIGH, __builtin_fmaf(f, LOG2_E_LOW, error));
  const float n = (float)k, sum = n + high;
  return sum + ((n == 0 ? 0.0f : high - (sum - n)) + low);
}

float log10f(float x) {
  float result;
  if (special(x, &result)) return result;
  int k;
  const float f = split(x, &k), tail = log_tail(f), n = (float)k;
  const float high = f * LOG10_E_HIGH;
  const float error = __builtin_fmaf(f, LOG10_E_HIGH, -high);
  float low = __builtin_fmaf(tail, LOG10_E_HIGH, __builtin_fmaf(f, LOG10_E_LOW, error));
  low = __builtin_fmaf(n, LOG10_2_LOW, low);
  const float whole = n * LOG10_2_HIGH, sum = whole + high;
  const float lost = __builtin_fabsf(whole) > __builtin_fabsf(high) ? high - (sum - whole) : whole - (sum - high);
  return sum + (lost + low);
}

float log1pf(float x) {
  if (x <= -1.0f || !(x < INFINITY)) return logf(1.0f + x);
  if (magnitude_bits(x) < 0x33800000u) return x;  // below 2^-24
  const float u = 1.0f + x;
  // What the addition lost, as a part of u.
  const float lost = (__builtin_fabsf(x) < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x)) / u;
  if (magnitude_bits(x) < 0x3e800000u) return x + log_tail(x);  // below 1/4 the polynomial takes x itself
  int k;
  const float f = split(u, &k), n = (float)k;
  return __builtin_fmaf(n, LN2_HIGH, f + __builtin_fmaf(n, LN2_LOW, log_tail(f) + lost));
}
