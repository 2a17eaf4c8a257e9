// ipu:: functions on float, half, float2, half2, half4, float4 and half8. Those with an instruction of the tile are
// that instruction: exp, exp2, log, log2, tanh, sigmoid, rsqrt, reciprocal (errors: docs/reference/special.md); all
// others go to <cmath> lane by lane.
#pragma once

#include <ipudef.h>
#include <tessera/vector_convert.h>

#include <cmath>

namespace ipu {

// One instruction on the packed type, or on each half of a wide one.
#define TESSERA_MATH1(name, type, instruction) \
  inline type name(type x) {                   \
    type result;                               \
    instruction(result.bits, x.bits);          \
    return result;                             \
  }
#define TESSERA_MATH2(name, type, instruction) \
  inline type name(type x, type y) {           \
    type result;                               \
    instruction(result.bits, x.bits, y.bits);  \
    return result;                             \
  }
#define TESSERA_WIDE1(name)                                                               \
  inline float4 name(float4 x) { return float4::Wide(name(x.part[0]), name(x.part[1])); } \
  inline half8 name(half8 x) { return half8::Wide(name(x.part[0]), name(x.part[1])); }
#define TESSERA_WIDE2(name)                                                      \
  inline float4 name(float4 x, float4 y) {                                       \
    return float4::Wide(name(x.part[0], y.part[0]), name(x.part[1], y.part[1])); \
  }                                                                              \
  inline half8 name(half8 x, half8 y) { return half8::Wide(name(x.part[0], y.part[0]), name(x.part[1], y.part[1])); }

// Special functions: f32 has scalar instructions, f16 packed ones. A half is lane 0 of a half2.
#define TESSERA_SPECIAL_F16(name, suffix)        \
  TESSERA_MATH1(name, half2, xipu_f16v2##suffix) \
  TESSERA_MATH1(name, half4, xipu_f16v4##suffix) \
  inline half name(half x) { return name(half2(x)).get(0); }
#define TESSERA_SPECIAL(name, suffix)                                       \
  inline float name(float x) {                                              \
    float result;                                                           \
    xipu_f32##suffix(result, x);                                            \
    return result;                                                          \
  }                                                                         \
  inline float2 name(float2 x) { return {name(x.get(0)), name(x.get(1))}; } \
  TESSERA_SPECIAL_F16(name, suffix)                                         \
  TESSERA_WIDE1(name)
TESSERA_SPECIAL(exp, exp)
TESSERA_SPECIAL(exp2, exp2)
TESSERA_SPECIAL(log, ln)
TESSERA_SPECIAL(log2, log2)
TESSERA_SPECIAL(tanh, tanh)
TESSERA_SPECIAL(sigmoid, sigm)
TESSERA_SPECIAL(rsqrt, oorx)
TESSERA_SPECIAL(reciprocal, oox)

inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline half sqrt(half x) { return std::sqrt(x); }
inline float2 sqrt(float2 x) { return {sqrt(x.get(0)), sqrt(x.get(1))}; }
TESSERA_MATH1(sqrt, half2, xipu_f16v2sqrt)
TESSERA_MATH1(sqrt, half4, xipu_f16v4sqrt)
TESSERA_WIDE1(sqrt)

// Lane by lane in one instruction.
#define TESSERA_PACKED1(name, suffix)             \
  TESSERA_MATH1(name, float2, xipu_f32v2##suffix) \
  TESSERA_MATH1(name, half2, xipu_f16v2##suffix)  \
  TESSERA_MATH1(name, half4, xipu_f16v4##suffix)  \
  TESSERA_WIDE1(name)
#define TESSERA_PACKED2(name, suffix)             \
  TESSERA_MATH2(name, float2, xipu_f32v2##suffix) \
  TESSERA_MATH2(name, half2, xipu_f16v2##suffix)  \
  TESSERA_MATH2(name, half4, xipu_f16v4##suffix)  \
  TESSERA_WIDE2(name)
TESSERA_PACKED1(fabs, abs)
TESSERA_PACKED2(fmax, max)
TESSERA_PACKED2(fmin, min)
TESSERA_PACKED2(absadd, absadd)
TESSERA_PACKED2(absmax, absmax)
inline float fabs(float x) { return __builtin_fabsf(x); }
inline half fabs(half x) { return std::fabs(x); }
inline float fmax(float x, float y) { return __builtin_fmaxf(x, y); }
inline half fmax(half x, half y) { return std::fmax(x, y); }
inline float fmin(float x, float y) { return __builtin_fminf(x, y); }
inline half fmin(half x, half y) { return std::fmin(x, y); }

// x * y + z with one rounding.
#define TESSERA_FMA(type, prefix)                            \
  inline type fma(type x, type y, type z) {                  \
    type result;                                             \
    xipu_##prefix##fma(result.bits, x.bits, y.bits, z.bits); \
    return result;                                           \
  }
TESSERA_FMA(float2, f32v2)
TESSERA_FMA(half2, f16v2)
TESSERA_FMA(half4, f16v4)
#undef TESSERA_FMA
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline half fma(half x, half y, half z) { return std::fma(x, y, z); }

// Each lane limited to [low, high].
#define TESSERA_CLAMP(type, prefix, limits, element)      \
  inline type clamp(type x, element low, element high) {  \
    const limits both(low, high);                         \
    type result;                                          \
    xipu_##prefix##clamp(result.bits, x.bits, both.bits); \
    return result;                                        \
  }
TESSERA_CLAMP(float2, f32v2, float2, float)
TESSERA_CLAMP(half2, f16v2, half2, half)
TESSERA_CLAMP(half4, f16v4, half2, half)
#undef TESSERA_CLAMP

// Sum of the lanes; of halves in float.
inline float sum(float2 x) {
  float result;
  xipu_f32v2sum(result, x.bits);
  return result;
}
inline float sum(half2 x) {
  float result;
  xipu_f16v2sum(result, x.bits);
  return result;
}
inline float2 sum(half4 x) {
  float2 result;
  xipu_f16v4sum(result.bits, x.bits);
  return result;
}

// Lane by lane through <cmath>.
#define TESSERA_LANES1(name)                                                \
  inline float name(float x) { return std::name(x); }                       \
  inline half name(half x) { return std::name(x); }                         \
  inline float2 name(float2 x) { return {name(x.get(0)), name(x.get(1))}; } \
  inline half2 name(half2 x) { return {name(x.get(0)), name(x.get(1))}; }   \
  inline half4 name(half4 x) { return {name(x.low()), name(x.high())}; }    \
  TESSERA_WIDE1(name)
#define TESSERA_LANES2(name)                                                                              \
  inline float name(float x, float y) { return std::name(x, y); }                                         \
  inline half name(half x, half y) { return std::name(x, y); }                                            \
  inline float2 name(float2 x, float2 y) { return {name(x.get(0), y.get(0)), name(x.get(1), y.get(1))}; } \
  inline half2 name(half2 x, half2 y) { return {name(x.get(0), y.get(0)), name(x.get(1), y.get(1))}; }    \
  inline half4 name(half4 x, half4 y) { return {name(x.low(), y.low()), name(x.high(), y.high())}; }      \
  TESSERA_WIDE2(name)
TESSERA_LANES1(sin)
TESSERA_LANES1(cos)
TESSERA_LANES1(tan)
TESSERA_LANES1(asin)
TESSERA_LANES1(acos)
TESSERA_LANES1(atan)
TESSERA_LANES1(erf)
TESSERA_LANES1(cbrt)
TESSERA_LANES1(expm1)
TESSERA_LANES1(log1p)
TESSERA_LANES1(log10)
TESSERA_LANES1(floor)
TESSERA_LANES1(ceil)
TESSERA_LANES1(trunc)
TESSERA_LANES1(round)
TESSERA_LANES1(rint)
TESSERA_LANES2(pow)
TESSERA_LANES2(fmod)
TESSERA_LANES2(copysign)

#undef TESSERA_MATH1
#undef TESSERA_MATH2
#undef TESSERA_WIDE1
#undef TESSERA_WIDE2
#undef TESSERA_SPECIAL
#undef TESSERA_SPECIAL_F16
#undef TESSERA_PACKED1
#undef TESSERA_PACKED2
#undef TESSERA_LANES1
#undef TESSERA_LANES2

}  // namespace ipu
