// 64-bit integer division, and conversions between 64-bit integers and f32 or f16, by the names clang calls them.
#include <stdint.h>

#include "float_bits.h"

static uint64_t divide(uint64_t n, uint64_t d, uint64_t* remainder) {
  const uint32_t high = (uint32_t)(n >> 32), low = (uint32_t)n;
  if (d >> 32 == 0) {
    const uint32_t divisor = (uint32_t)d;
    const uint32_t q1 = high / divisor;
    uint32_t r = high % divisor, q0;
    if (r == 0) {
      q0 = low / divisor, r = low % divisor;
    } else {
      // A bit at a time: the partial remainder has 33 bits for a moment.
      q0 = 0;
      for (int bit = 31; bit >= 0; --bit) {
        const uint32_t carry = r >> 31;
        r = r << 1 | (low >> bit & 1);
        q0 <<= 1;
        if (carry != 0 || r >= divisor) r -= divisor, q0 |= 1;
      }
    }
    *remainder = r;
    return (uint64_t)q1 << 32 | q0;
  }
  // The quotient has at most 32 bits: shift and subtract from where the leading bits meet.
  uint64_t q = 0;
  for (int shift = n < d ? -1 : __builtin_clz((uint32_t)(d >> 32)) - (high == 0 ? 32 : __builtin_clz(high)); shift >= 0;
       --shift) {
    q <<= 1;
    if (n >= d << shift) n -= d << shift, q |= 1;
  }
  *remainder = n;
  return q;
}

uint64_t __udivdi3(uint64_t n, uint64_t d) {
  uint64_t r;
  return divide(n, d, &r);
}

uint64_t __umoddi3(uint64_t n, uint64_t d) {
  uint64_t r;
  divide(n, d, &r);
  return r;
}

static uint64_t magnitude(int64_t x) { return x < 0 ? -(uint64_t)x : (uint64_t)x; }

int64_t __divdi3(int64_t n, int64_t d) {
  const uint64_t q = __udivdi3(magnitude(n), magnitude(d));
  return (int64_t)((n < 0) != (d < 0) ? -q : q);
}

int64_t __moddi3(int64_t n, int64_t d) {
  const uint64_t r = __umoddi3(magnitude(n), magnitude(d));
  return (int64_t)(n < 0 ? -r : r);
}

// Rounds once, to nearest even: 2^40 is far above what a 24-bit conversion can confuse, so bits below the top 32 matter
// only by whether any is set.
float __floatundisf(uint64_t x) {
  const uint32_t high = (uint32_t)(x >> 32);
  if (high == 0) return (float)(uint32_t)x;
  const int shift = 32 - __builtin_clz(high);
  uint32_t top = (uint32_t)(x >> shift);
  if ((x & (((uint64_t)1 << shift) - 1)) != 0) top |= 1;
  return (float)top * float_of((uint32_t)(shift + 127) << 23);
}

float __floatdisf(int64_t x) { return x < 0 ? -__floatundisf(magnitude(x)) : __floatundisf(magnitude(x)); }

// Towards zero; out of range gives the nearest end, NaN the upper one, as the 32-bit instructions do.
uint64_t __fixunssfdi(float x) {
  if (x <= -1.0f || x == 0) return 0;
  if (!(x < 0x1p64f)) return UINT64_MAX;
  if (x < 0x1p32f) return (uint32_t)x;
  const uint32_t bits = bits_of(x);
  return (uint64_t)((bits & 0x7fffffu) | 0x800000u) << ((bits >> 23) - 150);
}

int64_t __fixsfdi(float x) {
  if (is_nan(x) || x >= 0x1p63f) return INT64_MAX;
  if (x < -0x1p63f) return INT64_MIN;
  return x < 0 ? (int64_t)-__fixunssfdi(-x) : (int64_t)__fixunssfdi(x);
}

// An integer beyond 2^17 is beyond f16 in any case, so 32 bits decide.
_Float16 __floatundihf(uint64_t x) { return (_Float16)(x >> 32 != 0 ? UINT32_MAX : (uint32_t)x); }
_Float16 __floatdihf(int64_t x) { return x < 0 ? -__floatundihf(magnitude(x)) : __floatundihf(magnitude(x)); }
uint64_t __fixunshfdi(_Float16 x) { return __fixunssfdi((float)x); }
int64_t __fixhfdi(_Float16 x) { return __fixsfdi((float)x); }
