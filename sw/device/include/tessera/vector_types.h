// The packed types of the tile: float2 and half4 in a 64-bit float register, half2 in the low word of one, float4 and
// half8 in two. They look like the vectors of GCC, lane by lane: v[i], arithmetic with another vector or a number,
// comparisons (which give a mask: all ones or zeros in each lane, of the same type), bit operations.
//
// The container is a `double` or a `float` because that is what stock clang keeps in one float register; nothing ever
// computes with it. Arithmetic is one instruction (docs/reference/arithmetic.md), division and lane access are by lane.
#pragma once

#include <tessera/encodings.h>
#include <cstddef>
#include <poplar/HalfFloat.hpp>
#include <type_traits>
#include <utility>

// Integers: vectors of the compiler, in general registers.
typedef signed char char2 __attribute__((vector_size(2)));
typedef signed char char4 __attribute__((vector_size(4)));
typedef unsigned char uchar2 __attribute__((vector_size(2)));
typedef unsigned char uchar4 __attribute__((vector_size(4)));
typedef short short2 __attribute__((vector_size(4)));
typedef short short4 __attribute__((vector_size(8)));
typedef unsigned short ushort2 __attribute__((vector_size(4)));
typedef unsigned short ushort4 __attribute__((vector_size(8)));
typedef int int2 __attribute__((vector_size(8)));
typedef int int4 __attribute__((vector_size(16)));
typedef unsigned uint2 __attribute__((vector_size(8)));
typedef unsigned uint4 __attribute__((vector_size(16)));
typedef long long2 __attribute__((vector_size(8)));
typedef long long4 __attribute__((vector_size(16)));
typedef unsigned long ulong2 __attribute__((vector_size(8)));
typedef unsigned long ulong4 __attribute__((vector_size(16)));
typedef long long longlong2 __attribute__((vector_size(16)));
typedef unsigned long long ulonglong2 __attribute__((vector_size(16)));

namespace tessera {

template <class Vector, class Element>
class Lane;
template <class T>
struct IsLane : std::false_type {};
template <class Vector, class Element>
struct IsLane<Lane<Vector, Element>> : std::true_type {};

// A lane that can be assigned to. In every expression it is the number that it holds.
template <class Vector, class Element>
class Lane {
 public:
  Lane(Vector& vector, unsigned index) : vector_(vector), index_(index) {}
  operator Element() const { return vector_.get(index_); }
  Lane& operator=(Element value) {
    vector_.set(index_, value);
    return *this;
  }
  Lane& operator=(const Lane& other) { return *this = static_cast<Element>(other); }
  Lane& operator+=(Element value) { return *this = static_cast<Element>(*this) + value; }
  Lane& operator-=(Element value) { return *this = static_cast<Element>(*this) - value; }
  Lane& operator*=(Element value) { return *this = static_cast<Element>(*this) * value; }
  Lane& operator/=(Element value) { return *this = static_cast<Element>(*this) / value; }

  Lane& operator++() { return *this += static_cast<Element>(1); }
  Lane& operator--() { return *this -= static_cast<Element>(1); }
#define TESSERA_LANE_ASSIGN(op) \
  friend Element& operator op(Element & a, const Lane & b) { return a op static_cast<Element>(b); }
  TESSERA_LANE_ASSIGN(+=)
  TESSERA_LANE_ASSIGN(-=)
  TESSERA_LANE_ASSIGN(*=)
  TESSERA_LANE_ASSIGN(/=)
#undef TESSERA_LANE_ASSIGN
  Element operator++(int) {
    const Element before = *this;
    ++*this;
    return before;
  }
  Element operator--(int) {
    const Element before = *this;
    --*this;
    return before;
  }

  // Without these an operator had the choice between the conversions of its two sides.
#define TESSERA_LANE_OPERATOR(op)                                                                                      \
  friend auto operator op(const Lane& a, const Lane& b) { return static_cast<Element>(a) op static_cast<Element>(b); } \
  template <class Other, class = std::enable_if_t<!IsLane<Other>::value>>                                              \
  friend auto operator op(const Lane& a, const Other& b)->decltype(std::declval<Element>() op b) {                     \
    return static_cast<Element>(a) op b;                                                                               \
  }                                                                                                                    \
  template <class Other, class = std::enable_if_t<!std::is_same<Other, Lane>::value>>                                  \
  friend auto operator op(const Other& a, const Lane& b)->decltype(a op std::declval<Element>()) {                     \
    return a op static_cast<Element>(b);                                                                               \
  }
  TESSERA_LANE_OPERATOR(+)
  TESSERA_LANE_OPERATOR(-)
  TESSERA_LANE_OPERATOR(*)
  TESSERA_LANE_OPERATOR(/)
  TESSERA_LANE_OPERATOR(==)
  TESSERA_LANE_OPERATOR(!=)
  TESSERA_LANE_OPERATOR(<)
  TESSERA_LANE_OPERATOR(<=)
  TESSERA_LANE_OPERATOR(>)
  TESSERA_LANE_OPERATOR(>=)
#undef TESSERA_LANE_OPERATOR

 private:
  Vector& vector_;
  unsigned index_;
};

}  // namespace tessera

struct float2 {
  double bits;

  float2() = default;
  constexpr float2(float both) : float2(both, both) {}
  constexpr float2(float first, float second)
      : bits(__builtin_is_constant_evaluated() ? __builtin_bit_cast(double, Pair{first, second})
                                               : pack(first, second)) {}
  // The same bits.
  explicit float2(int2 lanes) : bits(__builtin_bit_cast(double, lanes)) {}
  explicit float2(uint2 lanes) : bits(__builtin_bit_cast(double, lanes)) {}
  explicit operator int2() const { return __builtin_bit_cast(int2, bits); }
  explicit operator uint2() const { return __builtin_bit_cast(uint2, bits); }
  static float2 of(double container) {
    float2 result;
    result.bits = container;
    return result;
  }

  float get(unsigned i) const {
    float low, high;
    xipu_f32v2extract(low, bits, 0);
    xipu_f32v2extract(high, bits, 1);
    return i == 0 ? low : high;
  }
  void set(unsigned i, float value) {
    double low, high;
    xipu_f32v2insert(low, bits, value, 0);
    xipu_f32v2insert(high, bits, value, 1);
    bits = i == 0 ? low : high;
  }
  float operator[](unsigned i) const& { return get(i); }
  tessera::Lane<float2, float> operator[](unsigned i) & { return {*this, i}; }

 private:
  struct alignas(8) Pair {
    float first, second;
  };
  static double pack(float first, float second) {
    double result;
    xipu_sort4x32lo(result, first, second);
    return result;
  }
};

struct half2 {
  float bits;

  half2() = default;
  constexpr half2(half both) : half2(both, both) {}
  constexpr half2(half first, half second)
      : bits(__builtin_is_constant_evaluated() ? __builtin_bit_cast(float, Pair{first, second}) : pack(first, second)) {
  }
  // The same bits.
  explicit half2(short2 lanes) : bits(__builtin_bit_cast(float, lanes)) {}
  explicit half2(ushort2 lanes) : bits(__builtin_bit_cast(float, lanes)) {}
  explicit operator short2() const { return __builtin_bit_cast(short2, bits); }
  explicit operator ushort2() const { return __builtin_bit_cast(ushort2, bits); }
  static half2 of(float container) {
    half2 result;
    result.bits = container;
    return result;
  }

  half get(unsigned i) const {
    half low, high;
    xipu_f16v4extract(low, bits, 0);
    xipu_f16v4extract(high, bits, 1);
    return i == 0 ? low : high;
  }
  void set(unsigned i, half value) { *this = i == 0 ? half2(value, get(1)) : half2(get(0), value); }
  half operator[](unsigned i) const& { return get(i); }
  tessera::Lane<half2, half> operator[](unsigned i) & { return {*this, i}; }

 private:
  struct alignas(4) Pair {
    half first, second;
  };
  static float pack(half first, half second) {
    float result;
    xipu_sort4x16lo(result, first, second);
    return result;
  }
};

struct half4 {
  double bits;

  half4() = default;
  constexpr half4(half all) : half4(all, all, all, all) {}
  constexpr half4(half a, half b, half c, half d)
      : bits(__builtin_is_constant_evaluated() ? __builtin_bit_cast(double, Four{a, b, c, d})
                                               : pack(half2(a, b), half2(c, d))) {}
  half4(half2 low, half2 high) : bits(pack(low, high)) {}
  // The same bits.
  explicit half4(short4 lanes) : bits(__builtin_bit_cast(double, lanes)) {}
  explicit half4(ushort4 lanes) : bits(__builtin_bit_cast(double, lanes)) {}
  explicit operator short4() const { return __builtin_bit_cast(short4, bits); }
  explicit operator ushort4() const { return __builtin_bit_cast(ushort4, bits); }
  static half4 of(double container) {
    half4 result;
    result.bits = container;
    return result;
  }

  half2 low() const {
    float result;
    xipu_f32v2extract(result, bits, 0);
    return half2::of(result);
  }
  half2 high() const {
    float result;
    xipu_f32v2extract(result, bits, 1);
    return half2::of(result);
  }
  half get(unsigned i) const { return i < 2 ? low().get(i) : high().get(i - 2); }
  void set(unsigned i, half value) {
    half2 first = low(), second = high();
    if (i < 2)
      first.set(i, value);
    else
      second.set(i - 2, value);
    bits = pack(first, second);
  }
  half operator[](unsigned i) const& { return get(i); }
  tessera::Lane<half4, half> operator[](unsigned i) & { return {*this, i}; }

 private:
  struct alignas(8) Four {
    half a, b, c, d;
  };
  static double pack(half2 low, half2 high) {
    double result;
    xipu_sort4x32lo(result, low.bits, high.bits);
    return result;
  }
};

// The operators of one type: `prefix` names its instructions.
#define TESSERA_PACKED_BINARY(type, op, instruction) \
  inline type operator op(type a, type b) {          \
    type result;                                     \
    instruction(result.bits, a.bits, b.bits);        \
    return result;                                   \
  }
#define TESSERA_PACKED_ASSIGN(type, op) \
  inline type& operator op##=(type & a, type b) { return a = a op b; }
#define TESSERA_PACKED_OPERATORS(type, prefix)          \
  TESSERA_PACKED_BINARY(type, +, xipu_##prefix##add)    \
  TESSERA_PACKED_BINARY(type, -, xipu_##prefix##sub)    \
  TESSERA_PACKED_BINARY(type, *, xipu_##prefix##mul)    \
  TESSERA_PACKED_BINARY(type, ==, xipu_##prefix##cmpeq) \
  TESSERA_PACKED_BINARY(type, !=, xipu_##prefix##cmpne) \
  TESSERA_PACKED_BINARY(type, <, xipu_##prefix##cmplt)  \
  TESSERA_PACKED_BINARY(type, <=, xipu_##prefix##cmple) \
  TESSERA_PACKED_BINARY(type, >, xipu_##prefix##cmpgt)  \
  TESSERA_PACKED_BINARY(type, >=, xipu_##prefix##cmpge) \
  TESSERA_PACKED_BINARY(type, &, xipu_and64)            \
  TESSERA_PACKED_BINARY(type, |, xipu_or64)             \
  TESSERA_PACKED_BINARY(type, ^, xipu_xor64)            \
  TESSERA_PACKED_ASSIGN(type, +)                        \
  TESSERA_PACKED_ASSIGN(type, -)                        \
  TESSERA_PACKED_ASSIGN(type, *)                        \
  TESSERA_PACKED_ASSIGN(type, /)                        \
  TESSERA_PACKED_ASSIGN(type, &)                        \
  TESSERA_PACKED_ASSIGN(type, |)                        \
  TESSERA_PACKED_ASSIGN(type, ^)                        \
  inline type operator+(type a) { return a; }           \
  inline type operator-(type a) {                       \
    type result;                                        \
    xipu_##prefix##neg(result.bits, a.bits);            \
    return result;                                      \
  }                                                     \
  inline type operator~(type a) {                       \
    type result;                                        \
    xipu_not64(result.bits, a.bits);                    \
    return result;                                      \
  }

inline float2 operator/(float2 a, float2 b) { return {a.get(0) / b.get(0), a.get(1) / b.get(1)}; }
inline half2 operator/(half2 a, half2 b) {
  return {static_cast<half>(a.get(0) / b.get(0)), static_cast<half>(a.get(1) / b.get(1))};
}
inline half4 operator/(half4 a, half4 b) { return {a.low() / b.low(), a.high() / b.high()}; }
TESSERA_PACKED_OPERATORS(float2, f32v2)
TESSERA_PACKED_OPERATORS(half2, f16v2)
TESSERA_PACKED_OPERATORS(half4, f16v4)

namespace tessera {

// Two packed registers side by side.
template <class Part, class Element, unsigned kLanesOfPart>
struct Wide {
  Part part[2];

  Wide() = default;
  Wide(Element all) : part{Part(all), Part(all)} {}
  Wide(Part low, Part high) : part{low, high} {}
  Element get(unsigned i) const { return part[i / kLanesOfPart].get(i % kLanesOfPart); }
  void set(unsigned i, Element value) { part[i / kLanesOfPart].set(i % kLanesOfPart, value); }
  Element operator[](unsigned i) const& { return get(i); }
  Lane<Wide, Element> operator[](unsigned i) & { return {*this, i}; }
  friend Wide operator-(Wide a) { return {-a.part[0], -a.part[1]}; }
#define TESSERA_WIDE_BINARY(op) \
  friend Wide operator op(Wide a, Wide b) { return {a.part[0] op b.part[0], a.part[1] op b.part[1]}; }
  TESSERA_WIDE_BINARY(+)
  TESSERA_WIDE_BINARY(-)
  TESSERA_WIDE_BINARY(*)
  TESSERA_WIDE_BINARY(/)
  TESSERA_WIDE_BINARY(==)
  TESSERA_WIDE_BINARY(!=)
  TESSERA_WIDE_BINARY(<)
  TESSERA_WIDE_BINARY(<=)
  TESSERA_WIDE_BINARY(>)
  TESSERA_WIDE_BINARY(>=)
  TESSERA_WIDE_BINARY(&)
  TESSERA_WIDE_BINARY(|)
  TESSERA_WIDE_BINARY(^)
#undef TESSERA_WIDE_BINARY
  Wide& operator+=(Wide b) { return *this = *this + b; }
  Wide& operator-=(Wide b) { return *this = *this - b; }
  Wide& operator*=(Wide b) { return *this = *this * b; }
  Wide& operator/=(Wide b) { return *this = *this / b; }
};

}  // namespace tessera

struct alignas(16) float4 : tessera::Wide<float2, float, 2> {
  using Wide::Wide;
  float4() = default;
  float4(const Wide& wide) : Wide(wide) {}
  float4(float a, float b, float c, float d) : Wide(float2(a, b), float2(c, d)) {}
};
struct alignas(16) half8 : tessera::Wide<half4, half, 4> {
  using Wide::Wide;
  half8() = default;
  half8(const Wide& wide) : Wide(wide) {}
};
