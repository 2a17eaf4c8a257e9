// What popc's generated half of a codelet file is written in: the entry function of a vertex and its layout table.
//
// The table is plain 32-bit words in section .tessera.codelets, read by compiler/codelet/layout_table.cpp and
// dropped by the linker. The numbers of the enumerations below are shared with that reader.
#pragma once

#include <poplar/Vertex.hpp>

namespace tessera::abi {

enum Kind : unsigned { kVertex, kMultiVertex, kSupervisorVertex };
enum Direction : unsigned { kInput, kOutput, kInOut, kState };
enum Shape : unsigned { kScalar, kVector, kList, kScalarList };
enum Length : unsigned { kSpan, kOnePtr };

// 0 for a type that no tensor has, else its place in this list counted from 1.
template <class T, class... Known>
constexpr unsigned place_in_list() {
  unsigned place = 0, n = 0;
  ((++n, place = __is_same(T, Known) ? n : place), ...);
  return place;
}
template <class T>
inline constexpr unsigned element =
    place_in_list<T, bool, char, unsigned char, signed char, short, unsigned short, int, unsigned int, long,
                  unsigned long, long long, unsigned long long, _Float16, float>();

// One row of the layout table without the offset. Lengths are those of the vector or outer vector and of the inner one.
struct Description {
  unsigned direction, shape, outer_length, inner_length, element, min_align, interleaved, is_const;
};

constexpr unsigned length_of(poplar::VectorLayout layout) {
  return poplar::detail::has_length(layout) ? kSpan : kOnePtr;
}
constexpr unsigned length_of(poplar::VectorListLayout layout) {
  return layout == poplar::VectorListLayout::ONE_PTR ? kOnePtr : kSpan;
}
template <class T>
constexpr unsigned alignment(unsigned wanted) {
  return wanted < alignof(T) ? alignof(T) : wanted;
}

// What stands inside Input, Output or InOut.
template <class T, unsigned D>
struct Edge {
  static constexpr Description value{D, kScalar, kOnePtr, kOnePtr, element<T>, alignof(T), 0, 0};
};
template <class T, poplar::VectorLayout L, unsigned A, bool I, unsigned D>
struct Edge<poplar::Vector<T, L, A, I>, D> {
  static constexpr Description value{D, kVector, length_of(L), kOnePtr, element<T>, alignment<T>(A), I, 0};
};
template <class T, poplar::VectorListLayout L, unsigned A, bool I, unsigned D>
struct Edge<poplar::VectorList<T, L, A, I>, D> {
  static constexpr Description value{D, kList, kSpan, length_of(L), element<T>, alignment<T>(A), I, 0};
};

// A vector of edges: a list of regions or of single elements.
template <class E, poplar::VectorLayout L>
struct List {
  static constexpr Description entry = E::value;
  static constexpr Description value{entry.direction,
                                     entry.shape == kScalar ? kScalarList : kList,
                                     length_of(L),
                                     entry.outer_length,
                                     entry.shape == kList ? 0 : entry.element,
                                     entry.min_align,
                                     entry.interleaved,
                                     0};
};

// State: a plain scalar, or a vector of plain elements.
template <class T>
struct Describe {
  static constexpr Description value{kState, kScalar, kOnePtr, kOnePtr, element<T>, alignof(T), 0, 0};
};
template <class T>
struct Describe<const T> {
  static constexpr Description of_value = Describe<T>::value;
  static constexpr Description value{
      of_value.direction, of_value.shape,     of_value.outer_length, of_value.inner_length,
      of_value.element,   of_value.min_align, of_value.interleaved,  1};
};
template <class T>
struct Describe<poplar::Input<T>> : Edge<T, kInput> {};
template <class T>
struct Describe<poplar::Output<T>> : Edge<T, kOutput> {};
template <class T>
struct Describe<poplar::InOut<T>> : Edge<T, kInOut> {};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Describe<poplar::Vector<T, L, A, I>> : Edge<poplar::Vector<T, L, A, I>, kState> {};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Describe<poplar::Vector<poplar::Input<T>, L, A, I>> : List<Edge<T, kInput>, L> {};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Describe<poplar::Vector<poplar::Output<T>, L, A, I>> : List<Edge<T, kOutput>, L> {};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Describe<poplar::Vector<poplar::InOut<T>, L, A, I>> : List<Edge<T, kInOut>, L> {};

template <class V>
constexpr unsigned kind() {
  if (__is_base_of(poplar::MultiVertex, V)) return kMultiVertex;
  if (__is_base_of(poplar::SupervisorVertex, V)) return kSupervisorVertex;
  return kVertex;
}

template <class T>
inline constexpr bool is_void = false;
template <>
inline constexpr bool is_void<void> = true;

// The type that compute() returns.
template <class V>
auto result_of_compute(V& vertex) {
  if constexpr (__is_base_of(poplar::MultiVertex, V))
    return static_cast<decltype(vertex.compute(0u))*>(nullptr);
  else
    return static_cast<decltype(vertex.compute())*>(nullptr);
}
template <class V>
inline constexpr bool returns_value =
    !is_void<__remove_pointer(decltype(result_of_compute(*static_cast<V*>(nullptr))))>;

// Runs compute() of the vertex whose state is at `state`; a vertex that returns nothing counts as true.
template <class V>
__attribute__((always_inline)) inline unsigned enter(void* state, unsigned worker) {
  V& vertex = *static_cast<V*>(state);
  if constexpr (__is_base_of(poplar::MultiVertex, V)) {
    if constexpr (returns_value<V>)
      return vertex.compute(worker) ? 1 : 0;
    else
      vertex.compute(worker);
  } else {
    (void)worker;
    if constexpr (returns_value<V>)
      return vertex.compute() ? 1 : 0;
    else
      vertex.compute();
  }
  return 1;
}

}  // namespace tessera::abi
