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
template <class Element, class... Known>
constexpr unsigned place_in_list() {
  unsigned place = 0, n = 0;
  ((++n, place = __is_same(Element, Known) ? n : place), ...);
  return place;
}
template <class Element>
inline constexpr unsigned element =
    place_in_list<Element, bool, char, unsigned char, signed char, short, unsigned short, int, unsigned int, long,
                  unsigned long, long long, unsigned long long, _Float16, float, quarter>();

// One row of the layout table without the offset. Lengths are those of the vector or outer vector and of the inner one.
struct Description {
  unsigned direction, shape, outer_length, inner_length, element, min_align, interleaved, is_const;
};

template <unsigned kWord>
constexpr unsigned word_of(const Description& d) {
  const unsigned words[] = {d.direction, d.shape,     d.outer_length, d.inner_length,
                            d.element,   d.min_align, d.interleaved,  d.is_const};
  return words[kWord];
}

#ifdef __TESSERA_CHECK__
inline constexpr bool all_have_length = true;  // Fields.hpp
#else
inline constexpr bool all_have_length = false;
#endif
constexpr unsigned length_of(poplar::VectorLayout layout) {
  return all_have_length || poplar::detail::has_length(layout) ? kSpan : kOnePtr;
}
constexpr unsigned length_of(poplar::VectorListLayout layout) {
  return all_have_length || layout != poplar::VectorListLayout::ONE_PTR ? kSpan : kOnePtr;
}
template <class Element>
constexpr unsigned alignment(unsigned wanted) {
  return wanted < alignof(Element) ? alignof(Element) : wanted;
}

// What stands inside Input, Output or InOut.
template <class Element, unsigned Way>
struct Edge {
  static constexpr Description value{Way, kScalar, kOnePtr, kOnePtr, element<Element>, alignof(Element), 0, 0};
};
template <class Element, poplar::VectorLayout Layout, unsigned Align, bool Interleave, unsigned Way>
struct Edge<poplar::Vector<Element, Layout, Align, Interleave>, Way> {
  static constexpr Description value{
      Way, kVector, length_of(Layout), kOnePtr, element<Element>, alignment<Element>(Align), Interleave, 0};
};
template <class Element, poplar::VectorListLayout Layout, unsigned Align, bool Interleave, unsigned Way>
struct Edge<poplar::VectorList<Element, Layout, Align, Interleave>, Way> {
  static constexpr Description value{
      Way, kList, kSpan, length_of(Layout), element<Element>, alignment<Element>(Align), Interleave, 0};
};

// A vector of edges: a list of regions or of single elements.
template <class EdgeType, poplar::VectorLayout Layout>
struct List {
  static constexpr Description entry = EdgeType::value;
  static constexpr Description value{entry.direction,
                                     entry.shape == kScalar ? kScalarList : kList,
                                     length_of(Layout),
                                     entry.outer_length,
                                     entry.shape == kList ? 0 : entry.element,
                                     entry.min_align,
                                     entry.interleaved,
                                     0};
};

// State: a plain scalar, or a vector of plain elements.
template <class Element>
struct Describe {
  static constexpr Description value{kState, kScalar, kOnePtr, kOnePtr, element<Element>, alignof(Element), 0, 0};
};
template <class Element>
struct Describe<const Element> {
  static constexpr Description of_value = Describe<Element>::value;
  static constexpr Description value{
      of_value.direction, of_value.shape,     of_value.outer_length, of_value.inner_length,
      of_value.element,   of_value.min_align, of_value.interleaved,  1};
};
template <class Element>
struct Describe<poplar::Input<Element>> : Edge<Element, kInput> {};
template <class Element>
struct Describe<poplar::Output<Element>> : Edge<Element, kOutput> {};
template <class Element>
struct Describe<poplar::InOut<Element>> : Edge<Element, kInOut> {};
template <class Element, poplar::VectorLayout Layout, unsigned Align, bool Interleave>
struct Describe<poplar::Vector<Element, Layout, Align, Interleave>>
    : Edge<poplar::Vector<Element, Layout, Align, Interleave>, kState> {};
template <class Element, poplar::VectorLayout Layout, unsigned Align, bool Interleave>
struct Describe<poplar::Vector<poplar::Input<Element>, Layout, Align, Interleave>>
    : List<Edge<Element, kInput>, Layout> {};
template <class Element, poplar::VectorLayout Layout, unsigned Align, bool Interleave>
struct Describe<poplar::Vector<poplar::Output<Element>, Layout, Align, Interleave>>
    : List<Edge<Element, kOutput>, Layout> {};
template <class Element, poplar::VectorLayout Layout, unsigned Align, bool Interleave>
struct Describe<poplar::Vector<poplar::InOut<Element>, Layout, Align, Interleave>>
    : List<Edge<Element, kInOut>, Layout> {};

template <class VertexType>
constexpr unsigned kind() {
  static_assert(__is_base_of(poplar::Vertex, VertexType) || __is_base_of(poplar::MultiVertex, VertexType) ||
                    __is_base_of(poplar::SupervisorVertex, VertexType),
                "this instantiation is no vertex: the base that its arguments choose is none of poplar::Vertex, "
                "poplar::MultiVertex and poplar::SupervisorVertex");
  if (__is_base_of(poplar::MultiVertex, VertexType)) return kMultiVertex;
  if (__is_base_of(poplar::SupervisorVertex, VertexType)) return kSupervisorVertex;
  return kVertex;
}

template <class Element>
inline constexpr bool is_void = false;
template <>
inline constexpr bool is_void<void> = true;

// The type that compute() returns.
template <class VertexType>
auto result_of_compute(VertexType& vertex) {
  if constexpr (__is_base_of(poplar::MultiVertex, VertexType))
    return static_cast<decltype(vertex.compute(0u))*>(nullptr);
  else
    return static_cast<decltype(vertex.compute())*>(nullptr);
}
template <class VertexType>
inline constexpr bool returns_value =
    !is_void<__remove_pointer(decltype(result_of_compute(*static_cast<VertexType*>(nullptr))))>;

// Runs compute() of the vertex whose state is at `state`; a vertex that returns nothing counts as true.
template <class VertexType>
__attribute__((always_inline)) inline unsigned enter(void* state, unsigned worker) {
  VertexType& vertex = *static_cast<VertexType*>(state);
  if constexpr (__is_base_of(poplar::MultiVertex, VertexType)) {
    if constexpr (returns_value<VertexType>)
      return vertex.compute(worker) ? 1 : 0;
    else
      vertex.compute(worker);
  } else {
    (void)worker;
    if constexpr (returns_value<VertexType>)
      return vertex.compute() ? 1 : 0;
    else
      vertex.compute();
  }
  return 1;
}

}  // namespace tessera::abi

// What generated text behind a codelet's source says: names that no macro of the source may have.
template <class __Vertex>
inline constexpr unsigned __tessera_kind = tessera::abi::kind<__Vertex>();
template <class __Vertex>
inline constexpr unsigned __tessera_returns_value = tessera::abi::returns_value<__Vertex>;
template <class __Vertex>
__attribute__((always_inline)) inline unsigned __tessera_enter(void* state, unsigned worker) {
  return tessera::abi::enter<__Vertex>(state, worker);
}
// Word by word the description of a field's type.
template <unsigned __word, class __Type>
inline constexpr unsigned __tessera_field = tessera::abi::word_of<__word>(tessera::abi::Describe<__Type>::value);
