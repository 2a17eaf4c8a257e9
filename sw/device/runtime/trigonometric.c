// sinf, cosf, tanf.
#include <math.h>

#include "float_bits.h"

#define TWO_OVER_PI 0x1.45f306p-1f
#define PIO2_1 0x1.921fb6p+0f
#define PIO2_2 -0x1.777a5cp-25f
#define PIO2_3 -0x1.ee59dap-50f

// 2/pi: 32 zero bits, then the 256 bits after the binary point.
static const uint32_t kTwoOverPi[9] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                       0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};

// The remainder of a large |x| and its quadrant, after Payne and Hanek: with x = m * 2^e, bits of 2/pi that make whole
// turns are left out, and 96 of the following ones are multiplied by m. The product counts quarter turns in units of
// 2^-94.
static float reduce_large(uint32_t magnitude, unsigned* quadrant) {
  const unsigned first = (magnitude >> 23) - 150 + 30;  // e + 30: the bit of 2/pi that weighs two quarter turns
  const uint32_t m = (magnitude & 0x7fffffu) | 0x800000u;
  uint32_t w[3];
  for (int i = 0; i < 3; ++i) {
    const uint64_t pair = (uint64_t)kTwoOverPi[first / 32 + i] << 32 | kTwoOverPi[first / 32 + i + 1];
    w[i] = (uint32_t)(pair << first % 32 >> 32);
  }
  const uint64_t low = (uint64_t)m * w[2];
  const uint64_t middle = (uint64_t)m * w[1] + (low >> 32);
  const uint32_t high = m * w[0] + (uint32_t)(middle >> 32);
  const uint64_t top = (uint64_t)high << 32 | (uint32_t)middle;
  const int64_t fraction = (int64_t)(top << 2 | (uint32_t)low >> 30);  // of 2^64 a quarter turn, nearest to zero
  *quadrant = (unsigned)(top >> 62) + (fraction < 0);
  const float big = (float)fraction;
  // (float)INT64_MAX is 2^63, which int64_t does not hold; there is nothing left to add then.
  const float small = big >= 0x1p63f ? 0.0f : (float)(fraction - (int64_t)big);
  const float r = big * PIO2_1;
  return (r + (__builtin_fmaf(big, PIO2_1, -r) + __builtin_fmaf(small, PIO2_1, big * PIO2_2))) * 0x1p-64f;
}

// x = quadrant * pi/2 + result, |result| <= pi/4 and a little.
static float reduce(float x, unsigned* quadrant) {
  const uint32_t magnitude = magnitude_bits(x);
  if (magnitude < 0x46000000u) {  // 2^13: the first step is exact
    const int n = nearest_int(x * TWO_OVER_PI);
    *quadrant = (unsigned)n;
    const float k = (float)n;
    const float r = __builtin_fmaf(-k, PIO2_1, x);
    return __builtin_fmaf(-k, PIO2_3, __builtin_fmaf(-k, PIO2_2, r));
  }
  const float r = reduce_large(magnitude, quadrant);
  if ((bits_of(x) & SIGN_BIT) == 0) return r;
  *quadrant = -*quadrant;
  return -r;
}

static float sine(float r) {
  const float z = r * r;
  float p = 2.718237283e-06f;
  p = __builtin_fmaf(p, z, -1.983932743e-04f);
  p = __builtin_fmaf(p, z, 8.333329111e-03f);
  p = __builtin_fmaf(p, z, -1.666666716e-01f);
  return __builtin_fmaf(p * z, r, r);
}

static float cosine(float r) {
  const float z = r * r;
  float p = -2.720954910e-07f;
  p = __builtin_fmaf(p, z, 2.479951218e-05f);
  p = __builtin_fmaf(p, z, -1.388888340e-03f);
  p = __builtin_fmaf(p, z, 4.166666791e-02f);
  const float half = 0.5f * z, whole = 1.0f - half;
  return whole + ((1.0f - whole - half) + p * (z * z));
}

// sin of x advanced by that many quarter turns.
static float sine_from(float x, unsigned turns) {
  if (!(magnitude_bits(x) < INFINITY_BITS)) return x - x;
  unsigned quadrant;
  const float r = reduce(x, &quadrant);
  quadrant += turns;
  const float value = quadrant & 1 ? cosine(r) : sine(r);
  return quadrant & 2 ? -value : value;
}

float sinf(float x) { return x == 0 ? x : sine_from(x, 0); }

float cosf(float x) { return sine_from(x, 1); }

// Within 4 ulp.
float tanf(float x) {
  if (x == 0) return x;
  if (!(magnitude_bits(x) < INFINITY_BITS)) return x - x;
  unsigned quadrant;
  const float r = reduce(x, &quadrant), s = sine(r), c = cosine(r);
  return quadrant & 1 ? -c / s : s / c;
}
