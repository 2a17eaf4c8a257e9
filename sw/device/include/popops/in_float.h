// Functions of halves that have no instruction of their own: computed in float, two lanes at a time, by polynomials and
// the instructions there are, and rounded once; geluErf in half. Of floats they are those of <cmath>.
#pragma once

#include <ipu_intrinsics>

#include <cmath>
#include <type_traits>

namespace popops::elementwise {

// x to f(x): for_half takes a float2, of which the result is needed as a half.
template <class T, class F, class G>
[[gnu::always_inline]] inline T in_float(T x, F for_half, G otherwise) {
  if constexpr (std::is_same_v<T, half4>) {
    const float4 wide = ipu::to_float(x);
    return ipu::to_half(float4({for_half(wide.part[0]), for_half(wide.part[1])}));
  } else if constexpr (std::is_same_v<T, half>) {
    return in_float(half4(x), for_half, otherwise).get(0);
  } else {
    return otherwise(x);
  }
}

// The normal distribution function is the sigmoid of x q(|x|), with q a polynomial. In half, 12 issue slots for four
// values: what rounding does to the sigmoid's argument is up to 11.5 units in the last place of the result, where x is
// below -3 and the result above -0.005; from -2 on it is below 6.5, from 0 on below 2.1. So q - 2 is computed, which is
// small: 2 x joins it where the argument is rounded. Beyond kMost the sigmoid is 0 or 1.
inline half4 gelu_of_half(half4 x) {
  constexpr float kMost = 8.0f;
  const half4 near = ipu::clamp(x, half(-kMost), half(kMost)), far = ipu::fabs(near);
  half4 q = ipu::fma(far, half4(half(-0.00680161f)), half4(half(0.0948486f)));
  q = ipu::fma(far, q, half4(half(-0.0242004f)));
  q = ipu::fma(far, q, half4(half(-0.395508f)));
  return x * ipu::sigmoid(ipu::fma(near, q, near + near));
}
template <class T>
[[gnu::always_inline]] inline T gelu_erf(T x) {
  if constexpr (std::is_same_v<T, half4>)
    return gelu_of_half(x);
  else if constexpr (std::is_same_v<T, half>)
    return gelu_of_half(half4(x)).get(0);
  else if constexpr (std::is_same_v<T, float>)
    return 0.5f * x * (1.0f + std::erf(x * 0.70710678f));
  else
    return T(gelu_erf(x.get(0)), gelu_erf(x.get(1)));
}

// tanh of x times a polynomial of x^2, within 5.8e-5 of the result.
inline float2 erf_for_half(float2 x) {
  constexpr float kMost = 4.3f * 4.3f / 2;
  const float2 u = ipu::fmin(x * x, float2(kMost));
  const float2 q = ipu::fma(u, float2(-0.00161632135f), float2(0.103642127f));
  return ipu::tanh(x * ipu::fma(u, q, float2(1.12831382f)));
}
template <class T>
[[gnu::always_inline]] inline T error_function(T x) {
  return in_float(
      x, [](float2 v) __attribute__((always_inline)) { return erf_for_half(v); }, [](auto v) { return ipu::erf(v); });
}

// exp(x) - 1 = (exp(x) + 1) tanh(x / 2), which loses nothing near 0.
template <class T>
[[gnu::always_inline]] inline T exponent_minus_one(T x) {
  return in_float(
      x,
      [](float2 v)
          __attribute__((always_inline)) { return (ipu::exp(v) + float2(1.0f)) * ipu::tanh(v * float2(0.5f)); },
      [](auto v) { return ipu::expm1(v); });
}

// log(1 + x), and what 1 + x lost of x: nothing from 1 on.
template <class T>
[[gnu::always_inline]] inline T logarithm_one_plus(T x) {
  return in_float(
      x,
      [](float2 v) __attribute__((always_inline)) {
        const float2 one(1.0f), small = ipu::fmin(v, one);
        return ipu::log(v + one) + (small - ((small + one) - one));
      },
      [](auto v) { return ipu::log1p(v); });
}

// The whole number next to x, up to 2^22: what float has no room for beside 1.5 * 2^23 is rounded away.
inline float2 whole(float2 x) {
  const float2 large(12582912.0f);
  return (x + large) - large;
}
// sin(r + k pi) for r up to pi / 2: a polynomial within 1.2e-6 of it, and the sign of whether k is odd.
inline float2 sine_of_turns(float2 r, float2 k) {
  const float2 odd = ipu::fma(whole(k * float2(0.5f)), float2(-2.0f), k);
  const float2 signed_r = r * ipu::fma(odd * odd, float2(-2.0f), float2(1.0f));
  const float2 u = r * r;
  float2 p = ipu::fma(u, float2(-0.000185422234f), float2(0.00831427475f));
  p = ipu::fma(u, p, float2(-0.166658533f));
  return ipu::fma(signed_r * u, p, signed_r);
}
// x - k pi, with pi in two parts.
inline float2 less_turns(float2 x, float2 k) {
  return ipu::fma(k, float2(8.742278e-08f), ipu::fma(k, float2(-3.14159274f), x));
}
inline float2 sine_for_half(float2 x) {
  const float2 k = whole(x * float2(0.318309886f));
  return sine_of_turns(less_turns(x, k), k);
}
inline float2 cosine_for_half(float2 x) {  // sin(x + pi / 2)
  const float2 k = whole(ipu::fma(x, float2(0.318309886f), float2(0.5f)));
  return sine_of_turns(less_turns(x, k - float2(0.5f)), k);
}
template <class T>
[[gnu::always_inline]] inline T sine(T x) {
  return in_float(
      x, [](float2 v) __attribute__((always_inline)) { return sine_for_half(v); }, [](auto v) { return ipu::sin(v); });
}
template <class T>
[[gnu::always_inline]] inline T cosine(T x) {
  return in_float(
      x, [](float2 v) __attribute__((always_inline)) { return cosine_for_half(v); },
      [](auto v) { return ipu::cos(v); });
}

}  // namespace popops::elementwise
