// The __builtin_ipu_* functions, overloaded by type. Where a parameter must be a constant (CSR numbers, accumulator
// groups, weight indices) the builtin is a macro. The vendor's compiler knows the names by itself: popc includes this
// file in a source that uses one and does not include it.
#pragma once

#include <stdint.h>
#include <tessera/memory_access.h>
#include <tessera/vector_math.h>
#include <tessera/xipu.h>

// Where the code runs.
inline unsigned __builtin_ipu_get_tile_id() { return tessera_tile_id(); }
inline unsigned __builtin_ipu_get_worker_id() { return tessera_worker_id(); }
inline bool __builtin_ipu_is_worker_mode() { return tessera_worker_id() < 6; }
inline void* __builtin_ipu_get_vertex_base() {
  void* value;
  __asm__("csrr %0, %1" : "=r"(value) : "i"(TESSERA_CSR_XVBASE));
  return value;
}
inline unsigned __builtin_ipu_get_scount_l() { return tessera_cycle(); }
inline unsigned __builtin_ipu_get_scount_u() {
  unsigned value;
  __asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(TESSERA_CSR_CYCLEH) : "memory");
  return value;
}

// CSRs by their numbers, TESSERA_CSR_*; uput and uget are the same on this machine.
#define __builtin_ipu_put(value, csr) __asm__ volatile("csrw %0, %1" ::"i"(csr), "r"(value) : "memory")
#define __builtin_ipu_get(csr)                                                    \
  __extension__({                                                                 \
    unsigned tessera_value_;                                                      \
    __asm__ volatile("csrr %0, %1" : "=r"(tessera_value_) : "i"(csr) : "memory"); \
    tessera_value_;                                                               \
  })
#define __builtin_ipu_uput(value, csr) __builtin_ipu_put(value, csr)
#define __builtin_ipu_uget(csr) __builtin_ipu_get(csr)
// A template, as is aacc_zero: not functions of the vendor's compiler, programs define their own, which then win.
template <class = void>
inline void __builtin_ipu_put_tas(float factor) {
  __builtin_ipu_put(__builtin_bit_cast(unsigned, factor), TESSERA_CSR_XTAS);
}

// Bits and bytes of general registers.
#define TESSERA_INTEGER1(name, instruction)          \
  inline unsigned __builtin_ipu_##name(unsigned a) { \
    unsigned result;                                 \
    xipu_##instruction(result, a);                   \
    return result;                                   \
  }
#define TESSERA_INTEGER2(name)                                   \
  inline unsigned __builtin_ipu_##name(unsigned a, unsigned b) { \
    unsigned result;                                             \
    xipu_##name(result, a, b);                                   \
    return result;                                               \
  }
TESSERA_INTEGER1(bitrev8, bitrev8)
TESSERA_INTEGER1(swap8, swap8)
TESSERA_INTEGER1(sort8, sort8)
TESSERA_INTEGER1(cms, cms)
TESSERA_INTEGER2(shuf8x8lo)
TESSERA_INTEGER2(shuf8x8hi)
TESSERA_INTEGER2(sort8x8lo)
TESSERA_INTEGER2(sort8x8hi)
TESSERA_INTEGER2(roll8l)
TESSERA_INTEGER2(roll8r)
#undef TESSERA_INTEGER1
#undef TESSERA_INTEGER2

// Bits and lanes of float registers.
#define TESSERA_BITS(name, instruction)                            \
  inline float __builtin_ipu_##name##_f32(float a, float b) {      \
    float result;                                                  \
    xipu_##instruction(result, a, b);                              \
    return result;                                                 \
  }                                                                \
  inline float2 __builtin_ipu_##name##_v2f32(float2 a, float2 b) { \
    float2 result;                                                 \
    xipu_##instruction(result.bits, a.bits, b.bits);               \
    return result;                                                 \
  }
TESSERA_BITS(and, and64)
TESSERA_BITS(or, or64)
inline float2 __builtin_ipu_andc_v2f32(float2 a, float2 b) {
  float2 result;
  xipu_andc64(result.bits, a.bits, b.bits);
  return result;
}
// The upper word would lose its boxing: through a general register.
inline float __builtin_ipu_andc_f32(float a, float b) {
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, a) & ~__builtin_bit_cast(unsigned, b));
}
inline float __builtin_ipu_not_f32(float a) { return __builtin_bit_cast(float, ~__builtin_bit_cast(unsigned, a)); }
inline float2 __builtin_ipu_not_v2f32(float2 a) { return ~a; }
inline unsigned __builtin_ipu_andc_i32(unsigned a, unsigned b) { return a & ~b; }
#undef TESSERA_BITS
#define TESSERA_SORT32(name)                               \
  inline float2 __builtin_ipu_##name(float2 a, float2 b) { \
    float2 result;                                         \
    xipu_##name(result.bits, a.bits, b.bits);              \
    return result;                                         \
  }
#define TESSERA_SORT16(name)                            \
  inline half2 __builtin_ipu_##name(half2 a, half2 b) { \
    half2 result;                                       \
    xipu_##name(result.bits, a.bits, b.bits);           \
    return result;                                      \
  }
TESSERA_SORT32(sort4x32lo)
TESSERA_SORT32(sort4x32hi)
TESSERA_SORT32(roll32)
TESSERA_SORT16(sort4x16lo)
TESSERA_SORT16(sort4x16hi)
TESSERA_SORT16(roll16)
#undef TESSERA_SORT32
#undef TESSERA_SORT16

// Arithmetic that ipu:: has too.
#define TESSERA_FORWARD1(name, function)  \
  template <class T>                      \
  inline auto __builtin_ipu_##name(T x) { \
    return ipu::function(x);              \
  }
#define TESSERA_FORWARD2(name, function)                                        \
  template <class T>                                                            \
  inline T __builtin_ipu_##name(T x, T y) {                                     \
    return ipu::function(x, y);                                                 \
  }                                                                             \
  template <class V, class T>                                                   \
  inline T __builtin_ipu_##name(tessera::Lane<V, T> x, T y) {                   \
    return ipu::function(static_cast<T>(x), y);                                 \
  }                                                                             \
  template <class V, class T>                                                   \
  inline T __builtin_ipu_##name(T x, tessera::Lane<V, T> y) {                   \
    return ipu::function(x, static_cast<T>(y));                                 \
  }                                                                             \
  template <class V, class T>                                                   \
  inline T __builtin_ipu_##name(tessera::Lane<V, T> x, tessera::Lane<V, T> y) { \
    return ipu::function(static_cast<T>(x), static_cast<T>(y));                 \
  }
TESSERA_FORWARD1(exp, exp)
TESSERA_FORWARD1(exp2, exp2)
TESSERA_FORWARD1(ln, log)
TESSERA_FORWARD1(log2, log2)
TESSERA_FORWARD1(tanh, tanh)
TESSERA_FORWARD1(sigm, sigmoid)
TESSERA_FORWARD1(sum, sum)
TESSERA_FORWARD2(max, fmax)
TESSERA_FORWARD2(min, fmin)
TESSERA_FORWARD2(absadd, absadd)
TESSERA_FORWARD2(absmax, absmax)
#undef TESSERA_FORWARD1
#undef TESSERA_FORWARD2
inline float __builtin_ipu_maxc(float2 x) {
  float result;
  xipu_f32v2maxc(result, x.bits);
  return result;
}
inline half __builtin_ipu_maxc(half2 x) {
  half result;
  xipu_f16v2maxc(result, x.bits);
  return result;
}
inline half2 __builtin_ipu_maxc(half4 x) {
  half2 result;
  xipu_f16v4maxc(result.bits, x.bits);
  return result;
}
inline float2 __builtin_ipu_clamp(float2 x, float2 limits) { return ipu::clamp(x, limits.get(0), limits.get(1)); }
inline half2 __builtin_ipu_clamp(half2 x, half2 limits) { return ipu::clamp(x, limits.get(0), limits.get(1)); }
inline half4 __builtin_ipu_clamp(half4 x, half2 limits) { return ipu::clamp(x, limits.get(0), limits.get(1)); }

// Comparisons give a mask: all ones where true.
#define TESSERA_COMPARE(name, op)                                           \
  inline float2 __builtin_ipu_##name(float2 a, float2 b) { return a op b; } \
  inline half2 __builtin_ipu_##name(half2 a, half2 b) { return a op b; }    \
  inline half4 __builtin_ipu_##name(half4 a, half4 b) { return a op b; }
TESSERA_COMPARE(cmpeq, ==)
TESSERA_COMPARE(cmpne, !=)
TESSERA_COMPARE(cmplt, <)
TESSERA_COMPARE(cmple, <=)
TESSERA_COMPARE(cmpgt, >)
TESSERA_COMPARE(cmpge, >=)
#undef TESSERA_COMPARE
inline bool __builtin_ipu_isnan(float x) { return x != x; }
inline bool __builtin_ipu_isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
inline bool __builtin_ipu_isfinite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
inline bool __builtin_ipu_isnan(half x) { return std::isnan(x); }
inline bool __builtin_ipu_isinf(half x) { return std::isinf(x); }
inline bool __builtin_ipu_isfinite(half x) { return std::isfinite(x); }

// Conversions.
inline half __builtin_ipu_f32tof16(float x) { return ipu::to_half(float2(x)).get(0); }  // may round stochastically
inline float __builtin_ipu_f16tof32(half x) { return static_cast<float>(x); }

// Random numbers.
inline unsigned __builtin_ipu_urand32() {
  unsigned result;
  xipu_urand32(result);
  return result;
}
inline unsigned long long __builtin_ipu_urand64() {
  float2 draw;
  xipu_urand64(draw.bits);
  return __builtin_bit_cast(unsigned long long, draw.bits);
}
// Even in (-1/2, 1/2).
inline float __builtin_ipu_urand_f32() {
  float2 draw;
  xipu_urand64(draw.bits);
  xipu_f32v2sufromui(draw.bits, draw.bits);
  return draw.get(0);
}
inline half __builtin_ipu_urand_f16() {
  half2 draw;
  xipu_urand64(draw.bits);
  xipu_f16v2sufromui(draw.bits, draw.bits);
  return draw.get(0);
}
inline float2 __builtin_ipu_f32v2grand() {
  float2 result;
  xipu_f32v2grand(result.bits);
  return result;
}
inline half2 __builtin_ipu_f16v2grand() {
  half2 result;
  xipu_f16v2grand(result.bits);
  return result;
}
// Keeps each lane with a probability of probability / 65536.
inline float2 __builtin_ipu_rmask(float2 x, unsigned probability) {
  float2 result;
  xipu_f32v2rmask(result.bits, x.bits, __builtin_bit_cast(float, probability));
  return result;
}
inline half4 __builtin_ipu_rmask(half4 x, unsigned probability) {
  half4 result;
  xipu_f16v4rmask(result.bits, x.bits, __builtin_bit_cast(float, probability));
  return result;
}

// Accumulators: docs/reference/arithmetic.md.
template <class = void>
inline void __builtin_ipu_aacc_zero() {
  xipu_zacc();
}
inline void __builtin_ipu_cmac(half2 a, half2 b) { xipu_f16v2cmac(a.bits, b.bits); }
inline void __builtin_ipu_cmac(half4 a, half4 b) { xipu_f16v4cmac(a.bits, b.bits); }
inline void __builtin_ipu_f32v2mac(float2 a, float2 b) { xipu_f32v2mac(a.bits, b.bits); }
inline void __builtin_ipu_f32v2aop(float2 a, float2 b) { xipu_f32v2aop(a.bits, b.bits); }
inline void __builtin_ipu_f32v2acc(float2 a) { xipu_f32v2acc(a.bits); }
inline void __builtin_ipu_f16v4acc(half4 a) { xipu_f16v4acc(a.bits); }
inline float2 __builtin_ipu_f32v2axpy(float2 a, float2 b) {
  float2 result;
  xipu_f32v2axpy(result.bits, a.bits, b.bits);
  return result;
}
#define TESSERA_GINA(type, instruction, value, group)        \
  __extension__({                                            \
    const type tessera_in_ = (value);                        \
    type tessera_out_;                                       \
    instruction(tessera_out_.bits, tessera_in_.bits, group); \
    tessera_out_;                                            \
  })
#define __builtin_ipu_f32v2gina(value, group) TESSERA_GINA(float2, xipu_f32v2gina, value, group)
#define __builtin_ipu_f16v2gina(value, group) TESSERA_GINA(half2, xipu_f16v2gina, value, group)
#define __builtin_ipu_f16v4gina(value, group) TESSERA_GINA(half4, xipu_f16v4gina, value, group)

// Matrix engine. Steps in register form: x inputs, p partial sums in, the result partial sums out; `phase` is constant.
#define TESSERA_STEP(in, partial, out, instruction, x, p, phase)           \
  __extension__({                                                          \
    const in tessera_x_ = (x);                                             \
    const partial tessera_p_ = (p);                                        \
    out tessera_r_;                                                        \
    instruction(tessera_r_.bits, tessera_x_.bits, tessera_p_.bits, phase); \
    tessera_r_;                                                            \
  })
#define __builtin_ipu_f16v4hihov4amp(x, p, phase) TESSERA_STEP(half4, half4, half4, xipu_f16v4hihov4amp, x, p, phase)
#define __builtin_ipu_f16v4sisoamp(x, p, phase) TESSERA_STEP(half4, float2, float2, xipu_f16v4sisoamp, x, p, phase)
#define __builtin_ipu_f16v4sihoamp(x, p, phase) TESSERA_STEP(half4, float2, half2, xipu_f16v4sihoamp, x, p, phase)
#define __builtin_ipu_f32sisov2amp(x, p, phase) TESSERA_STEP(float2, float2, float2, xipu_f32sisov2amp, x, p, phase)
#define __builtin_ipu_f16v4hihov4slic(x, p, phase) TESSERA_STEP(half4, half4, half4, xipu_f16v4hihov4slic, x, p, phase)
#define __builtin_ipu_f16v4sisoslic(x, p, phase) TESSERA_STEP(half4, float2, float2, xipu_f16v4sisoslic, x, p, phase)
#define __builtin_ipu_f32sisoslic(x, p, phase) TESSERA_STEP(float2, float2, float2, xipu_f32sisoslic, x, p, phase)
// Weights, by the supervisor: CW[n] from base + 8 n; CW[2n], CW[2n + 1] from base + 16 n.
#define __builtin_ipu_ld64putcs(base, n) xipu_ld64putcs(base, n)
#define __builtin_ipu_ld128putcs(base, n) xipu_ld128putcs(base, n)
#define __builtin_ipu_tapack(a0, a1, a2) ipu::AddressTriple(a0, a1, a2)
