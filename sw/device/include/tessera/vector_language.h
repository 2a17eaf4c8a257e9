// What the language has for vectors and a class has not by itself: structured bindings of packed values, std::max and
// std::min of a lane and a number.
#pragma once

#include <tessera/vector_types.h>

// By value: `auto [x, y] = v`. A reference would have to be to a lane, and there is none: assign to v[i].
#define TESSERA_BINDINGS(vector, element, lanes)                                  \
  template <>                                                                     \
  struct std::tuple_size<vector> : std::integral_constant<std::size_t, lanes> {}; \
  template <std::size_t I>                                                        \
  struct std::tuple_element<I, vector> {                                          \
    using type = element;                                                         \
  };                                                                              \
  template <std::size_t I>                                                        \
  inline element get(const vector& value) {                                       \
    return value.get(I);                                                          \
  }                                                                               \
  template <std::size_t I>                                                        \
  element get(vector& value) = delete;
TESSERA_BINDINGS(float2, float, 2)
TESSERA_BINDINGS(float4, float, 4)
TESSERA_BINDINGS(half2, half, 2)
TESSERA_BINDINGS(half4, half, 4)
TESSERA_BINDINGS(half8, half, 8)
#undef TESSERA_BINDINGS

namespace std {

#define TESSERA_OF_LANES(name, op)                                                                        \
  template <class Vector, class Element>                                                                  \
  inline Element name(const tessera::Lane<Vector, Element>& a, const Element& b) {                        \
    const Element first = a;                                                                              \
    return b op first ? b : first;                                                                        \
  }                                                                                                       \
  template <class Vector, class Element>                                                                  \
  inline Element name(const Element& a, const tessera::Lane<Vector, Element>& b) {                        \
    const Element second = b;                                                                             \
    return second op a ? second : a;                                                                      \
  }                                                                                                       \
  template <class Vector, class Element>                                                                  \
  inline Element name(const tessera::Lane<Vector, Element>& a, const tessera::Lane<Vector, Element>& b) { \
    const Element first = a, second = b;                                                                  \
    return second op first ? second : first;                                                              \
  }
TESSERA_OF_LANES(max, >)
TESSERA_OF_LANES(min, <)
#undef TESSERA_OF_LANES

}  // namespace std
