// Products and quotients of complex floats, which clang calls for `float _Complex` and std::complex<float>. Infinities
// and zeros as C's Annex G.5.1 wants them.
#include <math.h>

#include "float_bits.h"

float _Complex __mulsc3(float a, float b, float c, float d);
float _Complex __divsc3(float a, float b, float c, float d);

static float _Complex make(float real, float imaginary) {
  float _Complex result;
  __real__ result = real;
  __imag__ result = imaginary;
  return result;
}
// An infinity counts as 1, everything else as 0, of the same sign.
static float boxed(float x) { return __builtin_copysignf(__builtin_isinf(x) ? 1.0f : 0.0f, x); }
static float without_nan(float x) { return __builtin_isnan(x) ? __builtin_copysignf(0.0f, x) : x; }

float _Complex __mulsc3(float a, float b, float c, float d) {
  const float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  const float real = ac - bd, imaginary = ad + bc;
  if (!__builtin_isnan(real) || !__builtin_isnan(imaginary)) return make(real, imaginary);
  int infinite = 0;
  if (__builtin_isinf(a) || __builtin_isinf(b)) {
    a = boxed(a), b = boxed(b), c = without_nan(c), d = without_nan(d);
    infinite = 1;
  }
  if (__builtin_isinf(c) || __builtin_isinf(d)) {
    c = boxed(c), d = boxed(d), a = without_nan(a), b = without_nan(b);
    infinite = 1;
  }
  if (!infinite && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {
    a = without_nan(a), b = without_nan(b), c = without_nan(c), d = without_nan(d);
    infinite = 1;
  }
  if (!infinite) return make(real, imaginary);
  return make(__builtin_inff() * (a * c - b * d), __builtin_inff() * (a * d + b * c));
}

float _Complex __divsc3(float a, float b, float c, float d) {
  // Scaled by a power of two, so that c * c + d * d neither overflows nor vanishes.
  int exponent = 0;
  const float size = __builtin_fmaxf(__builtin_fabsf(c), __builtin_fabsf(d));
  if (size > 0.0f && !__builtin_isinf(size) && !__builtin_isnan(size)) {
    exponent = (int)((bits_of(size) >> 23) & 0xff) - 127;
    c = ldexpf(c, -exponent), d = ldexpf(d, -exponent);
  }
  const float square = c * c + d * d;
  const float real = ldexpf((a * c + b * d) / square, -exponent);
  const float imaginary = ldexpf((b * c - a * d) / square, -exponent);
  if (!__builtin_isnan(real) || !__builtin_isnan(imaginary)) return make(real, imaginary);
  if (square == 0.0f && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    const float infinity = __builtin_copysignf(__builtin_inff(), c);
    return make(infinity * a, infinity * b);
  }
  if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = boxed(a), b = boxed(b);
    return make(__builtin_inff() * (a * c + b * d), __builtin_inff() * (b * c - a * d));
  }
  if (__builtin_isinf(size) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = boxed(c), d = boxed(d);
    return make(0.0f * (a * c + b * d), 0.0f * (b * c - a * d));
  }
  return make(real, imaginary);
}
