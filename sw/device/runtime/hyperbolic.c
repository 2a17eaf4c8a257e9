// sinhf, coshf, tanhf: within 3 ulp.
#include <math.h>

#include "float_bits.h"

float tanhf(float x) {
  if (is_nan(x) || x == 0) return x;
  const float magnitude = __builtin_fabsf(x);
  if (magnitude < 0.625f) {
    const float z = x * x;
    float p = -5.709498655e-03f;  // (tanh(x) - x) / x^3
    p = __builtin_fmaf(p, z, 2.064413764e-02f);
    p = __builtin_fmaf(p, z, -5.374162272e-02f);
    p = __builtin_fmaf(p, z, 1.333146989e-01f);
    p = __builtin_fmaf(p, z, -3.333328366e-01f);
    return __builtin_fmaf(p * z, x, x);
  }
  const float value = magnitude > 10.0f ? 1.0f : 1.0f - 2.0f / (expf(2.0f * magnitude) + 1.0f);
  return __builtin_copysignf(value, x);
}

float sinhf(float x) {
  if (is_nan(x) || x == 0) return x;
  const float magnitude = __builtin_fabsf(x);
  float value;
  if (magnitude < 88.0f) {
    const float e = expm1f(magnitude);
    value = 0.5f * (e + e / (e + 1.0f));
  } else {
    // e^x alone would overflow a little early.
    const float half = expf(0.5f * magnitude);
    value = 0.5f * half * half;
  }
  return __builtin_copysignf(value, x);
}

float coshf(float x) {
  const float magnitude = __builtin_fabsf(x);
  if (magnitude < 88.0f) {
    const float e = expf(magnitude);
    return 0.5f * e + 0.5f / e;
  }
  const float half = expf(0.5f * magnitude);
  return 0.5f * half * half;
}
