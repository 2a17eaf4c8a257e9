// Packed values converted lane by lane: ipu::to_half, ipu::to_float, and __builtin_convertvector of any vector.
#pragma once

#include <tessera/vector_types.h>

namespace ipu {

// Conversions, rounded by the mode in frm; stochastically where the control register says so.
inline half2 to_half(float2 x) {
  half2 result;
  xipu_f32v2tof16(result.bits, x.bits, 7);
  return result;
}
inline half4 to_half(float4 x) {
  half4 result;
  xipu_f32v4tof16(result.bits, x.part[0].bits, x.part[1].bits, 7);
  return result;
}
inline float2 to_float(half2 x) {
  float2 result;
  xipu_f16v2tof32(result.bits, x.bits, 7);
  return result;
}
inline float4 to_float(half4 x) {
  float2 low, high;
  xipu_f16v2tof32(low.bits, x.bits, 7);
  xipu_f16v2tof32hi(high.bits, x.bits, 7);
  return float4::Wide(low, high);
}

}  // namespace ipu

namespace tessera {

template <class T>
struct IsPacked : std::false_type {};
template <>
struct IsPacked<float2> : std::true_type {};
template <>
struct IsPacked<float4> : std::true_type {};
template <>
struct IsPacked<half2> : std::true_type {};
template <>
struct IsPacked<half4> : std::true_type {};
template <>
struct IsPacked<half8> : std::true_type {};

template <class To, class From>
inline To convert_vector(const From& from) {
  if constexpr (!IsPacked<To>::value && !IsPacked<From>::value) {
    return __builtin_convertvector(from, To);
  } else if constexpr (std::is_same<To, From>::value) {
    return from;
  } else if constexpr ((std::is_same<To, half2>::value && std::is_same<From, float2>::value) ||
                       (std::is_same<To, half4>::value && std::is_same<From, float4>::value)) {
    return ipu::to_half(from);
  } else if constexpr ((std::is_same<To, float2>::value && std::is_same<From, half2>::value) ||
                       (std::is_same<To, float4>::value && std::is_same<From, half4>::value)) {
    return ipu::to_float(from);
  } else {
    To result;
    constexpr unsigned kLanes = sizeof(To) / sizeof(std::decay_t<decltype(std::declval<const To&>()[0])>);
    static_assert(kLanes == sizeof(From) / sizeof(std::decay_t<decltype(std::declval<const From&>()[0])>),
                  "__builtin_convertvector: both vectors need the same number of lanes");
    for (unsigned i = 0; i < kLanes; ++i)
      result[i] = static_cast<std::decay_t<decltype(std::declval<const To&>()[0])>>(from[i]);
    return result;
  }
}

}  // namespace tessera

#define __builtin_convertvector(vector, type) (tessera::convert_vector<type>(vector))
