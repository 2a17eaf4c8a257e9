// Mathematics on half, beside the overloads of <cmath>: computed in float and rounded once to half.
#pragma once

namespace std {

#define TESSERA_HALF_FUNCTION(name) \
  inline _Float16 name(_Float16 x) { return static_cast<_Float16>(__builtin_##name##f(static_cast<float>(x))); }
#define TESSERA_HALF_FUNCTION2(name)                                                                 \
  inline _Float16 name(_Float16 x, _Float16 y) {                                                     \
    return static_cast<_Float16>(__builtin_##name##f(static_cast<float>(x), static_cast<float>(y))); \
  }

TESSERA_HALF_FUNCTION(exp)
TESSERA_HALF_FUNCTION(exp2)
TESSERA_HALF_FUNCTION(expm1)
TESSERA_HALF_FUNCTION(log)
TESSERA_HALF_FUNCTION(log2)
TESSERA_HALF_FUNCTION(log10)
TESSERA_HALF_FUNCTION(log1p)
TESSERA_HALF_FUNCTION(sin)
TESSERA_HALF_FUNCTION(cos)
TESSERA_HALF_FUNCTION(tan)
TESSERA_HALF_FUNCTION(asin)
TESSERA_HALF_FUNCTION(acos)
TESSERA_HALF_FUNCTION(atan)
TESSERA_HALF_FUNCTION(sinh)
TESSERA_HALF_FUNCTION(cosh)
TESSERA_HALF_FUNCTION(tanh)
TESSERA_HALF_FUNCTION(erf)
TESSERA_HALF_FUNCTION(cbrt)
TESSERA_HALF_FUNCTION(floor)
TESSERA_HALF_FUNCTION(ceil)
TESSERA_HALF_FUNCTION(trunc)
TESSERA_HALF_FUNCTION(round)
TESSERA_HALF_FUNCTION(rint)
TESSERA_HALF_FUNCTION2(pow)
TESSERA_HALF_FUNCTION2(atan2)
TESSERA_HALF_FUNCTION2(hypot)
TESSERA_HALF_FUNCTION2(fmod)

#undef TESSERA_HALF_FUNCTION
#undef TESSERA_HALF_FUNCTION2

// These have instructions of their own.
inline _Float16 sqrt(_Float16 x) { return __builtin_elementwise_sqrt(x); }
inline _Float16 fabs(_Float16 x) { return __builtin_elementwise_abs(x); }
inline _Float16 abs(_Float16 x) { return __builtin_elementwise_abs(x); }
inline _Float16 fmax(_Float16 x, _Float16 y) { return __builtin_fmaxf16(x, y); }
inline _Float16 fmin(_Float16 x, _Float16 y) { return __builtin_fminf16(x, y); }
inline _Float16 fma(_Float16 x, _Float16 y, _Float16 z) { return __builtin_fmaf16(x, y, z); }
inline _Float16 copysign(_Float16 x, _Float16 y) { return __builtin_copysignf16(x, y); }
constexpr bool isnan(_Float16 x) { return x != x; }
constexpr bool isinf(_Float16 x) { return x == __builtin_inff16() || x == -__builtin_inff16(); }
constexpr bool isfinite(_Float16 x) { return x - x == 0; }
inline bool signbit(_Float16 x) { return __builtin_signbit(x); }

}  // namespace std
