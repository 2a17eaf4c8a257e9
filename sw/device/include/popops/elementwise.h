// What the vertices of popops' element-wise operations are made of: the operators, on elements and on packed values,
// and loops over the elements of a tile. popops writes the vertices (sw/libs/popops/vertex_source.cpp).
#pragma once

#include <ipu_intrinsics>

#include <cmath>
#include <limits>
#include <type_traits>

#include <popops/in_float.h>
#include <popops/share.h>
#include <poplar/Vertex.hpp>

namespace popops::elementwise {

template <class T>
constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, half>;

// The type that holds as many elements as a register of the data path.
template <class T>
struct Packed {
  using type = T;
  static constexpr unsigned lanes = 1;
};
template <>
struct Packed<float> {
  using type = float2;
  static constexpr unsigned lanes = 2;
};
template <>
struct Packed<half> {
  using type = half4;
  static constexpr unsigned lanes = 4;
};

// Operators. T: an element, or for those that have one instruction or go lane by lane a packed value.
template <class T>
T absolute(T x) {
  if constexpr (std::is_integral_v<T>)
    return x < T(0) ? static_cast<T>(-x) : x;
  else
    return ipu::fabs(x);
}
template <class T>
T add(T x, T y) {
  return static_cast<T>(x + y);
}
template <class T>
T subtract(T x, T y) {
  return static_cast<T>(x - y);
}
template <class T>
T multiply(T x, T y) {
  return static_cast<T>(x * y);
}
template <class T>
T divide(T x, T y) {
  return static_cast<T>(x / y);
}
template <class T>
T negate(T x) {
  return static_cast<T>(-x);
}
template <class T>
T division_remainder(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(x % y);
  else
    return ipu::fmod(x, y);
}
template <class T>
T maximum(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return x > y ? x : y;
  else
    return ipu::fmax(x, y);
}
template <class T>
T minimum(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return x < y ? x : y;
  else
    return ipu::fmin(x, y);
}
template <class T>
T power(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // By squaring; a negative exponent leaves 1, -1 or 0.
    if (y < T(0)) return x == T(1) ? T(1) : x == T(-1) ? ((y & 1) != 0 ? T(-1) : T(1)) : T(0);
    std::make_unsigned_t<T> result = 1, factor = static_cast<std::make_unsigned_t<T>>(x);
    for (std::make_unsigned_t<T> n = static_cast<std::make_unsigned_t<T>>(y); n != 0; n >>= 1) {
      if ((n & 1) != 0) result *= factor;
      factor *= factor;
    }
    return static_cast<T>(result);
  } else {
    return ipu::pow(x, y);
  }
}
template <class T>
T square(T x) {
  return static_cast<T>(x * x);
}
template <class T>
T inverse(T x) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, half4>)
    return ipu::reciprocal(x);  // rounded as a division
  else
    return T(1) / x;
}
template <class T>
T arctangent2(T y, T x) {
  return static_cast<T>(std::atan2(static_cast<float>(y), static_cast<float>(x)));
}
template <class T>
T signum(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>((x > T(0)) - (x < T(0)));
  else
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;  // of a NaN the NaN, of a zero the zero
}
template <class T>
T relu(T x) {
  return maximum(x, T(0));
}
template <class T>
T variance_to_inverse_deviation(T variance, T epsilon) {
  return ipu::rsqrt(static_cast<T>(variance + epsilon));
}
template <class T>
T inverse_deviation_to_variance(T deviation, T epsilon) {
  return T(1) / static_cast<T>(deviation * deviation) - epsilon;
}
template <class T>
T clamp(T x, T low, T high) {
  return minimum(maximum(x, low), high);
}
template <class T>
T select(T x, T y, bool condition) {
  return condition ? x : y;
}
template <class T>
T bitwise_not(T x) {
  return static_cast<T>(~x);
}
template <class T>
T bitwise_and(T x, T y) {
  return static_cast<T>(x & y);
}
template <class T>
T bitwise_or(T x, T y) {
  return static_cast<T>(x | y);
}
template <class T>
T bitwise_xor(T x, T y) {
  return static_cast<T>(x ^ y);
}
template <class T>
T bitwise_xnor(T x, T y) {
  return static_cast<T>(~(x ^ y));
}
template <class T>
T shift_left(T x, T y) {
  return static_cast<T>(x << y);
}
template <class T>
T shift_right(T x, T y) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) >> y);
}
template <class T>
T shift_right_sign_extend(T x, T y) {
  return static_cast<T>(static_cast<std::make_signed_t<T>>(x) >> y);
}
template <class T>
T population_count(T x) {
  return static_cast<T>(__builtin_popcountll(static_cast<std::make_unsigned_t<T>>(x)));
}
template <class T>
T leading_zeros(T x) {
  constexpr int kBits = 8 * sizeof(T);
  return static_cast<T>(x == T(0) ? kBits : __builtin_clzll(static_cast<std::make_unsigned_t<T>>(x)) - (64 - kBits));
}
template <class T>
bool is_finite(T x) {
  return ipu::fabs(x) <= std::numeric_limits<T>::max();
}
template <class T>
bool is_infinite(T x) {
  return ipu::fabs(x) == std::numeric_limits<T>::infinity();
}
template <class T>
bool is_nan(T x) {
  return x != x;
}
template <class To, class From>
To convert(From x) {
  if constexpr (std::is_same_v<To, bool>) return x != From(0);
  return static_cast<To>(x);
}

// An operand with an element for each of the output, and one that is the same for all.
template <class T>
struct Each {
  const T* at;
  T element(unsigned i) const { return at[i]; }
  Each from(unsigned i) const { return {at + i}; }
  using Value = typename Packed<T>::type;
  struct Stream {
    const Value* at;
    Value next() { return ipu::load_postinc(&at, 1); }
  };
  Stream stream() const { return {reinterpret_cast<const Value*>(at)}; }
};
template <class T>
struct Same {
  T value;
  T element(unsigned) const { return value; }
  Same from(unsigned) const { return *this; }
  using Value = typename Packed<T>::type;
  struct Stream {
    Value value;
    Value next() { return value; }
  };
  Stream stream() const { return {Value(value)}; }
};

// Halves to floats and back, as a function of map_span that takes registers.
template <class To, class From>
struct Convert {
  To operator()(From x) const { return convert<To>(x); }
  // How many of the first elements it took: single ones up to where registers of both types begin, then registers.
  static unsigned span(To* out, unsigned n, Each<From> in) {
    const auto address = [](const auto* at) { return reinterpret_cast<unsigned>(at); };
    constexpr bool kToFloat = std::is_same_v<To, float>;
    const unsigned head = -(address(kToFloat ? static_cast<const void*>(in.at) : out) / sizeof(half)) % 4;
    if (head >= n || address(kToFloat ? static_cast<const void*>(out + head) : in.at + head) % 8 != 0) return 0;
    for (unsigned i = 0; i < head; ++i) out[i] = convert<To>(in.at[i]);
    unsigned turns = (n - head) / 4;
    const unsigned taken = head + 4 * turns;
    if constexpr (kToFloat) {
      const half4* from = reinterpret_cast<const half4*>(in.at + head);
      float2* to = reinterpret_cast<float2*>(out + head);
#pragma clang loop unroll_count(4)
      for (; turns != 0; --turns) {
        const float4 x = ipu::to_float(ipu::load_postinc(&from, 1));
        ipu::store_postinc(&to, x.part[0], 1);
        ipu::store_postinc(&to, x.part[1], 1);
      }
    } else {
      const float2* from = reinterpret_cast<const float2*>(in.at + head);
      half4* to = reinterpret_cast<half4*>(out + head);
#pragma clang loop unroll_count(4)
      for (; turns != 0; --turns) {
        const float2 a = ipu::load_postinc(&from, 1), b = ipu::load_postinc(&from, 1);
        ipu::store_postinc(&to, ipu::to_half(float4({a, b})), 1);
      }
    }
    return taken;
  }
};

// What is computed at a time: elements; registers; registers in so many instructions that unrolled loops are not worth
// their memory.
enum Take { kElements, kPacked, kPackedLong };

// Registers of results. Where the first operand has an element for each, an instruction loads its next register and
// stores the last result.
template <Take kTake, class Value, class F, class First, class... Operand>
[[gnu::always_inline]] inline void map_registers(Value* out, unsigned turns, F f, First first, Operand... operand) {
  [&](auto first_stream, auto... stream) __attribute__((always_inline)) {
#pragma clang loop unroll_count(kTake == kPackedLong ? 1 : 8)
    for (; turns != 0; --turns) ipu::store_postinc(&out, f(first_stream.next(), stream.next()...), 1);
  }(first.stream(), operand.stream()...);
}
template <Take kTake, class Value, class F, class T, class... Operand>
[[gnu::always_inline]] inline void map_registers(Value* out, unsigned turns, F f, Each<T> first, Operand... operand) {
  if (turns == 0) return;
  const Value* const from = reinterpret_cast<const Value*>(first.at);
  Value* const last = out + (turns - 1);
  [&](auto... stream) __attribute__((always_inline)) {
    Value result = f(*from, stream.next()...);
    ipu::AddressTriple addresses(from + 1, from + 1, out);
#pragma clang loop unroll_count(kTake == kPackedLong ? 1 : 8)
    while (--turns != 0) {
      const Value next = ipu::load_store_pace(addresses, result);
      result = f(next, stream.next()...);
    }
    *last = result;
  }(operand.stream()...);
}

// out[i] = f(operands[i]...). Packed: all operands and the output are of one float type, begin at multiples of 8 bytes,
// and f takes packed values too. An operand may be the output itself.
template <Take kTake, class Out, class F, class... Operand>
[[gnu::always_inline]] inline void map_span(Out* out, unsigned n, F f, Operand... operand) {
  unsigned i = 0;
  if constexpr (kTake != kElements) {
    using Value = typename Packed<Out>::type;
    constexpr unsigned kLanes = Packed<Out>::lanes;
    map_registers<kTake>(reinterpret_cast<Value*>(out), n / kLanes, f, operand...);
    i = n - n % kLanes;
  } else if constexpr (requires { F::span(out, n, operand...); }) {
    i = F::span(out, n, operand...);
  }
#pragma clang loop unroll_count(kTake == kPackedLong ? 1 : 4)
  for (; i < n; ++i) out[i] = f(operand.element(i)...);
}

// A worker's share of the elements.
template <Take kTake, class Out, class F, class... Operand>
[[gnu::always_inline]] inline void map_share(unsigned worker, Out* out, unsigned n, F f, Operand... operand) {
  const Share share = share_of<Out>(worker, n);
  map_span<kTake>(out + share.begin, share.end - share.begin, f, operand.from(share.begin)...);
}

// A vector of `count` elements of which each goes with `inner` elements of the output, the whole vector again and
// again.
template <class T>
struct Repeated {
  const T* at;
};
struct Pattern {
  unsigned first;  // place of the output's first element
  unsigned inner, count;
};

// What an operand is for output elements i, i + 1, ... of a stretch that begins at element `place` of the pattern: with
// inner 1 the vector runs along, else one of its elements goes with all.
template <bool kAlong, class T>
Each<T> stretch(Each<T> operand, unsigned i, unsigned) {
  return operand.from(i);
}
template <bool kAlong, class T>
Same<T> stretch(Same<T> operand, unsigned, unsigned) {
  return operand;
}
template <bool kAlong, class T>
auto stretch(Repeated<T> operand, unsigned, unsigned place) {
  if constexpr (kAlong)
    return Each<T>{operand.at + place};
  else
    return Same<T>{operand.at[place]};
}

template <Take kTake, bool kAlong, class Out, class F, class... Operand>
inline void map_stretch(Out* out, unsigned i, unsigned n, unsigned place, F f, Operand... operand) {
  constexpr unsigned kLanes = Packed<Out>::lanes;
  if constexpr (kTake != kElements) {
    // Whole registers, if they begin at the same element for all operands.
    const unsigned head = -i % kLanes;
    if ((!kAlong || (place - i) % kLanes == 0) && head < n) {
      if (head != 0) map_span<kElements>(out + i, head, f, stretch<kAlong>(operand, i, place)...);
      map_span<kTake>(out + i + head, n - head, f,
                      stretch<kAlong>(operand, i + head, kAlong ? place + head : place)...);
      return;
    }
  }
  map_span<kElements>(out + i, n, f, stretch<kAlong>(operand, i, place)...);
}

// map_share where operands are Repeated too, all by one pattern.
template <Take kTake, class Out, class F, class... Operand>
inline void map_repeated(unsigned worker, Out* out, unsigned n, Pattern pattern, F f, Operand... operand) {
  const Share share = share_of<Out>(worker, n);
  if (share.empty()) return;
  unsigned i = share.begin;
  const unsigned end = share.end;
  const unsigned start = pattern.first + i;
  if (pattern.inner == 1) {
    for (unsigned place = start % pattern.count; i < end; place = 0) {
      const unsigned left = pattern.count - place, size = end - i < left ? end - i : left;
      map_stretch<kTake, true>(out, i, size, place, f, operand...);
      i += size;
    }
    return;
  }
  unsigned place = start / pattern.inner, left = pattern.inner - start % pattern.inner;
  for (place %= pattern.count; i < end; left = pattern.inner) {
    const unsigned size = end - i < left ? end - i : left;
    map_stretch<kTake, false>(out, i, size, place, f, operand...);
    i += size;
    if (++place == pattern.count) place = 0;
  }
}

}  // namespace popops::elementwise
