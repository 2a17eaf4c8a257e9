// Field types of a vertex: Input, Output and InOut edges, Vector and VectorList.
//
// Every field is one or two 32-bit words: a pointer, and for layouts that know their length the element count. In a
// checked build (tessera/check.h) all layouts do, and the operators compare with it. Edges of quarters have one more
// behind, a pointer to the metadata.
// Edges are connected by the compiler, so constness of the vertex object does not matter: an Output can be written
// through a const reference to its vertex.
#pragma once

#include <stddef.h>
#include <tessera/check.h>

#include <poplar/QuarterFloat.hpp>

namespace poplar {

// SCALED_PTR* and COMPACT_PTR are plain 32-bit pointers on this machine, SHORT_SPAN is a SPAN.
enum class VectorLayout {
  NOT_A_VECTOR,
  SPAN,
  SHORT_SPAN,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  COMPACT_PTR
};

// All list layouts are a SPAN of SPANs on this machine, except ONE_PTR whose rows have no length.
enum class VectorListLayout {
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  DELTAN,
  DELTANELEMENTS,
  COMPACT_DELTAN
};

template <class Element>
struct Input;
template <class Element, VectorLayout Layout, unsigned MinAlign, bool Interleaved>
struct TESSERA_CHECKED_TYPE Vector;

namespace detail {

constexpr bool has_length(VectorLayout layout) {
  return layout == VectorLayout::SPAN || layout == VectorLayout::SHORT_SPAN;
}

// Storage of a vector and the operations that all vectors share.
template <class Element, bool HasLength>
struct TESSERA_CHECKED_TYPE Extent {
  Element* first_;
  unsigned size_;

  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Element* begin() const { return first_; }
  Element* end() const { return first_ + size_; }
  const Element* cbegin() const { return first_; }
  const Element* cend() const { return first_ + size_; }
  Element& front() const {
    TESSERA_CHECK_INDEX(this, 0u, size_);
    return first_[0];
  }
  Element& back() const {
    TESSERA_CHECK_INDEX(this, size_ - 1, size_);
    return first_[size_ - 1];
  }
  Element* data() const { return first_; }
  Element& operator[](size_t i) const {
    TESSERA_CHECK_INDEX(this, i, size_);
    return first_[i];
  }
};

template <class Element>
struct TESSERA_CHECKED_TYPE Extent<Element, false> {
  Element* first_;
#ifdef __TESSERA_CHECK__
  unsigned size_;  // for the check alone: a plain build has none
#endif

  Element* begin() const { return first_; }
  Element* data() const { return first_; }
  Element& operator[](size_t i) const {
    TESSERA_CHECK_INDEX(this, i, size_);
    return first_[i];
  }
};

// What a field has behind it by which its elements are read: of quarters their metadata, of others nothing.
template <class Element>
struct Metadata {};
template <>
struct Metadata<quarter> {
  const MetadataType* metadata_;

  const MetadataType* getMetadata() const { return metadata_; }
};
template <>
struct Metadata<const quarter> : Metadata<quarter> {};
template <template <class> class Edge>
struct Metadata<Edge<quarter>> : Metadata<quarter> {};
template <template <class> class Edge, VectorLayout Layout, unsigned Align, bool Interleave>
struct Metadata<Edge<Vector<quarter, Layout, Align, Interleave>>> : Metadata<quarter> {};

// What a vector of edges holds for each: the edge, without the metadata, which all have in common.
template <class Element>
struct Entry {
  using type = Element;
};

}  // namespace detail

// Element: its type, or Input/Output/InOut of a Vector for a list of regions. Interleaved: in interleaved memory.
// MinAlign in bytes.
template <class Element, VectorLayout Layout = VectorLayout::SPAN, unsigned MinAlign = alignof(Element),
          bool Interleaved = false>
struct TESSERA_CHECKED_TYPE Vector : detail::Extent<typename detail::Entry<Element>::type, detail::has_length(Layout)>,
                                     detail::Metadata<Element> {
  using value_type = typename detail::Entry<Element>::type;
};

template <class Element, VectorListLayout Layout = VectorListLayout::DELTAN, unsigned MinAlign = alignof(Element),
          bool Interleaved = false>
struct TESSERA_CHECKED_TYPE VectorList
    : detail::Extent<detail::Extent<Element, Layout != VectorListLayout::ONE_PTR>, true>,
      detail::Metadata<Element> {
  using value_type = Element;
};

namespace detail {

// An edge of one element.
template <class Element>
struct ScalarEdge {
  Element* element_;

  operator Element&() const { return *element_; }
  Element& operator*() const { return *element_; }
  Element* operator->() const { return element_; }
};

// A written edge of one element: assignments go through to the element.
template <class Element>
struct WrittenScalarEdge : ScalarEdge<Element> {
  template <class Value>
  Element& operator=(const Value& value) const {
    return *this->element_ = static_cast<Element>(value);
  }
  Element& operator=(const WrittenScalarEdge& other) const { return *this->element_ = *other.element_; }
  template <class Value>
  Element& operator+=(const Value& value) const {
    return *this->element_ = static_cast<Element>(*this->element_ + value);
  }
  template <class Value>
  Element& operator-=(const Value& value) const {
    return *this->element_ = static_cast<Element>(*this->element_ - value);
  }
  template <class Value>
  Element& operator*=(const Value& value) const {
    return *this->element_ = static_cast<Element>(*this->element_ * value);
  }
  template <class Value>
  Element& operator/=(const Value& value) const {
    return *this->element_ = static_cast<Element>(*this->element_ / value);
  }
};

// An edge of many elements: behaves as the vector itself and as a pointer to it.
template <class Base>
struct VectorEdge : Base {
  const VectorEdge& operator*() const { return *this; }
  const VectorEdge* operator->() const { return this; }
};

}  // namespace detail

template <class Element>
struct Input : detail::ScalarEdge<const Element>, detail::Metadata<Element> {};

template <class Element>
struct Output : detail::WrittenScalarEdge<Element>, detail::Metadata<Element> {
  using detail::WrittenScalarEdge<Element>::operator=;
};

template <class Element>
struct InOut : detail::WrittenScalarEdge<Element>, detail::Metadata<Element> {
  using detail::WrittenScalarEdge<Element>::operator=;
};

namespace detail {

// Of an input's elements a codelet takes pointers to const. Those written for Poplar 1 take others: popc compiles a
// source that will not have it otherwise with them.
#ifdef TESSERA_INPUT_ELEMENTS_NOT_CONST
template <class Element>
using InputElement = Element;
#else
template <class Element>
using InputElement = const Element;
#endif

}  // namespace detail

// Edges of many elements are vectors themselves.
template <class Element, VectorLayout Layout, unsigned Align, bool Interleave>
struct Input<Vector<Element, Layout, Align, Interleave>>
    : detail::VectorEdge<Vector<detail::InputElement<Element>, Layout, Align, Interleave>> {};
template <class Element, VectorLayout Layout, unsigned Align, bool Interleave>
struct Output<Vector<Element, Layout, Align, Interleave>>
    : detail::VectorEdge<Vector<Element, Layout, Align, Interleave>> {};
template <class Element, VectorLayout Layout, unsigned Align, bool Interleave>
struct InOut<Vector<Element, Layout, Align, Interleave>>
    : detail::VectorEdge<Vector<Element, Layout, Align, Interleave>> {};

template <class Element, VectorListLayout Layout, unsigned Align, bool Interleave>
struct Input<VectorList<Element, Layout, Align, Interleave>>
    : detail::VectorEdge<VectorList<detail::InputElement<Element>, Layout, Align, Interleave>> {};
template <class Element, VectorListLayout Layout, unsigned Align, bool Interleave>
struct Output<VectorList<Element, Layout, Align, Interleave>>
    : detail::VectorEdge<VectorList<Element, Layout, Align, Interleave>> {};
template <class Element, VectorListLayout Layout, unsigned Align, bool Interleave>
struct InOut<VectorList<Element, Layout, Align, Interleave>>
    : detail::VectorEdge<VectorList<Element, Layout, Align, Interleave>> {};

namespace detail {

template <>
struct Entry<Input<quarter>> {
  using type = ScalarEdge<const quarter>;
};
template <template <class> class Edge>
struct Entry<Edge<quarter>> {
  using type = WrittenScalarEdge<quarter>;
};
template <VectorLayout Layout, unsigned Align, bool Interleave>
struct Entry<Input<Vector<quarter, Layout, Align, Interleave>>> {
  using type = VectorEdge<Extent<InputElement<quarter>, has_length(Layout)>>;
};
template <template <class> class Edge, VectorLayout Layout, unsigned Align, bool Interleave>
struct Entry<Edge<Vector<quarter, Layout, Align, Interleave>>> {
  using type = VectorEdge<Extent<quarter, has_length(Layout)>>;
};

}  // namespace detail

}  // namespace poplar
