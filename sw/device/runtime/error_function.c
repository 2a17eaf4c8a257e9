// erff: within 2 ulp.
#include <math.h>

#include "float_bits.h"

// -log(1 - erf(a)) for 0.92 <= a <= 3.95
static float tail_exponent(float a) {
  float p = -5.434358172e-07f;
  p = __builtin_fmaf(p, a, 8.793418601e-06f);
  p = __builtin_fmaf(p, a, -4.051706856e-05f);
  p = __builtin_fmaf(p, a, -1.889458654e-04f);
  p = __builtin_fmaf(p, a, 3.557407297e-03f);
  p = __builtin_fmaf(p, a, -2.412095480e-02f);
  p = __builtin_fmaf(p, a, 1.072216183e-01f);
  p = __builtin_fmaf(p, a, 6.340525150e-01f);
  p = __builtin_fmaf(p, a, 1.129246354e+00f);
  return __builtin_fmaf(p, a, -1.301415177e-04f);
}

float erff(float x) {
  if (is_nan(x)) return x;
  const float magnitude = __builtin_fabsf(x);
  if (magnitude < 0.925f) {
    const float z = x * x;
    float p = 8.345181413e-05f;  // erf(x) / x - 1
    p = __builtin_fmaf(p, z, -8.137425757e-04f);
    p = __builtin_fmaf(p, z, 5.200633314e-03f);
    p = __builtin_fmaf(p, z, -2.685927041e-02f);
    p = __builtin_fmaf(p, z, 1.128369421e-01f);
    p = __builtin_fmaf(p, z, -3.761263490e-01f);
    p = __builtin_fmaf(p, z, 1.283791661e-01f);
    return __builtin_fmaf(p, x, x);
  }
  const float value = magnitude > 3.94f ? 1.0f : 1.0f - expf(-tail_exponent(magnitude));
  return __builtin_copysignf(value, x);
}
