// Loads and stores that move their pointer in the same instruction, 128-bit loads, and the address triples of the paced
// instructions.
#pragma once

#include <ipudef.h>

namespace tessera {

constexpr bool fits_step(long bytes) { return bytes >= -2048 && bytes < 2048; }

template <class T, class U>
inline constexpr bool same = false;
template <class T>
inline constexpr bool same<T, T> = true;

// Moves by a constant that the instruction can hold; `Bytes` comes as a template argument for that.
template <long kBytes, class T>
[[gnu::always_inline]] inline T load_step(const T* __restrict& p) {
  if constexpr (same<T, float2> || same<T, half4>) {
    T value;
    xipu_ld64step(value.bits, p, kBytes);
    return value;
  } else if constexpr (same<T, half2>) {
    T value;
    xipu_ld32step(value.bits, p, kBytes);
    return value;
  } else if constexpr (same<T, float>) {
    T value;
    xipu_ld32step(value, p, kBytes);
    return value;
  } else if constexpr (same<T, half>) {
    T value;
    xipu_ld16step(value, p, kBytes);
    return value;
  } else {
    const T value = *p;
    p = reinterpret_cast<const T*>(reinterpret_cast<const char*>(p) + kBytes);
    return value;
  }
}
template <long kBytes, class T>
[[gnu::always_inline]] inline void store_step(T* __restrict& p, const T& value) {
  if constexpr (same<T, float2> || same<T, half4>) {
    xipu_st64step(value.bits, p, kBytes);
  } else if constexpr (same<T, half2>) {
    xipu_st32step(value.bits, p, kBytes);
  } else if constexpr (same<T, float>) {
    xipu_st32step(value, p, kBytes);
  } else if constexpr (same<T, half>) {
    xipu_st16step(value, p, kBytes);
  } else {
    *p = value;
    p = reinterpret_cast<T*>(reinterpret_cast<char*>(p) + kBytes);
  }
}

}  // namespace tessera

namespace ipu {

// *p, after which p moves by `increment` elements. One instruction for the increments 1, 2, 4, -1 (known when compiled)
// and the types that a float register holds.
template <class T>
[[gnu::always_inline]] inline T load_postinc(const T* __restrict* p, int increment) {
  constexpr long size = sizeof(T);
  if (__builtin_constant_p(increment)) {
    if (increment == 1) return tessera::load_step<size>(*p);
    if (increment == 2) return tessera::load_step<2 * size>(*p);
    if (increment == 4) return tessera::load_step<4 * size>(*p);
    if (increment == -1) return tessera::load_step<-size>(*p);
  }
  const T value = **p;
  *p += increment;
  return value;
}
template <class T>
[[gnu::always_inline]] inline void store_postinc(T* __restrict* p, const T& value, int increment) {
  constexpr long size = sizeof(T);
  if (__builtin_constant_p(increment)) {
    if (increment == 1) return tessera::store_step<size>(*p, value);
    if (increment == 2) return tessera::store_step<2 * size>(*p, value);
    if (increment == 4) return tessera::store_step<4 * size>(*p, value);
    if (increment == -1) return tessera::store_step<-size>(*p, value);
  }
  **p = value;
  *p += increment;
}

// 16 bytes at p (a multiple of 16 in interleaved memory), after which p moves by `kElements` of 16 bytes.
template <int kElements = 1>
inline float4 load128_postinc(const float4** p) {
  double low, high;
  xipu_ld128step(low, high, *p, 16 * kElements);
  return {float2::of(low), float2::of(high)};
}
template <int kElements = 1>
inline half8 load128_postinc(const half8** p) {
  double low, high;
  xipu_ld128step(low, high, *p, 16 * kElements);
  return {half4::of(low), half4::of(high)};
}

// The three addresses of a paced instruction, in one float register; each a multiple of 8.
class AddressTriple {
 public:
  AddressTriple(const void* a0, const void* a1, const void* a2 = nullptr) {
    xipu_tapack(bits, a0, a1);
    if (!(__builtin_constant_p(a2) && a2 == nullptr)) xipu_taset2(bits, bits, a2);
  }
  // kNumber = 0..2
  template <int kNumber>
  void* address() const {
    void* result;
    xipu_taget(result, bits, kNumber);
    return result;
  }

  double bits;
};

// Loads at a0, stores `value` at a2; both move by 8 bytes, or by the strides that the selectors 1..3 name.
template <class T, int kSelect0 = 0, int kSelect2 = 0>
inline T load_store_pace(AddressTriple& addresses, const T& value) {
  T result;
  xipu_ldst64pace(result.bits, addresses.bits, value.bits, kSelect0 | kSelect2 << 2);
  return result;
}
// Loads at a0 and a1.
template <class T, int kSelect0 = 0, int kSelect1 = 0>
inline void load2_pace(AddressTriple& addresses, T& first, T& second) {
  xipu_ld2x64pace(first.bits, second.bits, addresses.bits, kSelect0 | kSelect1 << 2);
}
// Loads at a0 and a1, stores `value` at a2.
template <class T, int kSelect0 = 0, int kSelect1 = 0, int kSelect2 = 0>
inline void load2_store_pace(AddressTriple& addresses, T& first, T& second, const T& value) {
  xipu_ld2xst64pace(first.bits, second.bits, addresses.bits, value.bits, kSelect0 | kSelect1 << 2 | kSelect2 << 4);
}

}  // namespace ipu
