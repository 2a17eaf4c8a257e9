// expf, exp2f, expm1f.
#include <math.h>

#include "float_bits.h"
#include "power_of_two.h"

#define LOG2_E 0x1.715476p+0f
#define LN2_HIGH 0x1.62e43p-1f
#define LN2_LOW -0x1.05c61p-29f

// e^r - 1 for |r| <= ln(2)/2.
static inline float exp_minus_one(float r) {
  float p = 1.395065687e-03f;
  p = __builtin_fmaf(p, r, 8.368953131e-03f);
  p = __builtin_fmaf(p, r, 4.166620225e-02f);
  p = __builtin_fmaf(p, r, 1.666651815e-01f);
  p = __builtin_fmaf(p, r, 0.5f);
  return __builtin_fmaf(p, r * r, r);
}

static inline float reduce(float x, int* n) {
  *n = nearest_int(x * LOG2_E);
  const float k = (float)*n;
  return __builtin_fmaf(-k, LN2_LOW, __builtin_fmaf(-k, LN2_HIGH, x));
}

float expf(float x) {
  if (is_nan(x)) return x;
  if (x > 0x1.62e42ep+6f) return x == INFINITY ? x : 0x1p127f * 2;
  if (x < -0x1.9fe36ap+6f) return x == -INFINITY ? 0.0f : 0x1p-126f * 0x1p-126f;
  int n;
  const float r = reduce(x, &n);
  return scale(1.0f + exp_minus_one(r), n);
}

float expm1f(float x) {
  if (is_nan(x) || x == 0) return x;
  if (x > 0x1.62e42ep+6f) return x == INFINITY ? x : 0x1p127f * 2;
  if (x < -18.0f) return -1.0f;
  int n;
  const float r = reduce(x, &n);
  const float e = exp_minus_one(r);
  if (n == 0) return e;
  if (n > 30) return scale(1.0f + e, n);
  const float two_n = float_of((uint32_t)(n + 127) << 23);
  return __builtin_fmaf(two_n, e, two_n - 1.0f);
}

float exp2f(float x) {
  if (is_nan(x)) return x;
  if (x >= 128.0f) return x == INFINITY ? x : 0x1p127f * 2;
  if (x < -150.0f) return x == -INFINITY ? 0.0f : 0x1p-126f * 0x1p-126f;
  const int n = nearest_int(x);
  const float r = x - (float)n;
  return scale(power_of_two(r), n);
}
