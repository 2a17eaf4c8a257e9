// powf: within 2 ulp.
#include <math.h>

#include "float_bits.h"
#include "power_of_two.h"

#define LOG2_E_HIGH 0x1.715476p+0f
#define LOG2_E_LOW 0x1.4ae0cp-26f

// A sum of two floats of which the first is the rounded value.
typedef struct {
  float high, low;
} pair;

static pair add(float a, float b) {
  const float sum = a + b, back = sum - a;
  return (pair){sum, (a - (sum - back)) + (b - back)};
}

// log2(x) for finite x > 0, relative error about 2^-40 near 1 and absolute error about 2^-37 elsewhere.
static pair log2_of(float x) {
  int exponent = 0;
  if (x < 0x1p-126f) x *= 0x1p25f, exponent = -25;
  const uint32_t bits = bits_of(x) - 0x3f3504f3u;
  exponent += (int32_t)bits >> 23;
  const float m = float_of((bits & 0x7fffffu) + 0x3f3504f3u);

  // log(m) = 2 atanh(s) with s = (m - 1) / (m + 1); both ends of the quotient as pairs.
  const float f = m - 1.0f;
  const pair sum = add(m, 1.0f);
  const float s = f / sum.high;
  const float s_low = (__builtin_fmaf(-s, sum.high, f) - s * sum.low) / sum.high;
  const float z = s * s;
  float p = 1.179249585e-01f;  // (atanh(s) - s - s^3/3) / s^5
  p = __builtin_fmaf(p, z, 1.426858455e-01f);
  p = __builtin_fmaf(p, z, 2.000016868e-01f);
  // s^3/3 as a pair: z and z * s with their errors.
  const float z_low = __builtin_fmaf(2.0f * s, s_low, __builtin_fmaf(s, s, -z));
  const float cube = z * s, cube_low = __builtin_fmaf(z, s, -cube) + z * s_low + z_low * s;
  const float third = cube * 0x1.555556p-2f;
  const float third_low =
      __builtin_fmaf(cube, 0x1.555556p-2f, -third) + cube * -0x1.555556p-27f + cube_low * 0x1.555556p-2f;
  const pair head = add(s, third);
  const float tail = head.low + (s_low + third_low + p * z * cube);
  const float log_high = 2.0f * (head.high + tail);
  const float log_low = 2.0f * ((head.high - 0.5f * log_high) + tail);

  // times log2(e), plus the exponent
  const float product = log_high * LOG2_E_HIGH;
  const float low =
      __builtin_fmaf(log_high, LOG2_E_HIGH, -product) + __builtin_fmaf(log_high, LOG2_E_LOW, log_low * LOG2_E_HIGH);
  const pair whole = add((float)exponent, product);
  const float rest = whole.low + low;
  const float high = whole.high + rest;
  return (pair){high, (whole.high - high) + rest};
}

// 0 if y is no integer, 1 if odd, 2 if even.
static int integer_kind(float y) {
  const float magnitude = __builtin_fabsf(y);
  if (magnitude >= 0x1p24f) return 2;
  const int n = (int)magnitude;
  if ((float)n != magnitude) return 0;
  return n & 1 ? 1 : 2;
}

float powf(float x, float y) {
  if (y == 0 || x == 1.0f) return 1.0f;
  if (is_nan(x) || is_nan(y)) return x + y;
  const float base = __builtin_fabsf(x);
  if (__builtin_fabsf(y) == INFINITY) {
    if (base == 1.0f) return 1.0f;
    return (base > 1.0f) == (y > 0) ? INFINITY : 0.0f;
  }
  const int kind = integer_kind(y);
  const float sign = __builtin_signbit(x) && kind == 1 ? -1.0f : 1.0f;
  if (base == 0) return y > 0 ? sign * 0.0f : sign / 0.0f;
  if (base == INFINITY) return y > 0 ? sign * INFINITY : sign * 0.0f;
  if (x < 0 && kind == 0) return (x - x) / (x - x);

  const pair log2_x = log2_of(base);
  const float product = y * log2_x.high;
  if (product > 130.0f) return sign * 0x1p127f * 2.0f;
  if (product < -160.0f) return sign * 0x1p-126f * 0x1p-126f;
  const float product_low = __builtin_fmaf(y, log2_x.high, -product) + y * log2_x.low;
  const int n = nearest_int(product);
  const float r = (product - (float)n) + product_low;
  return sign * scale(power_of_two(r), n);
}
