// Field types of a vertex: Input, Output and InOut edges, Vector and VectorList.
//
// Every field is one or two 32-bit words: a pointer, and for layouts that know their length the element count.
// Edges are connected by the compiler, so constness of the vertex object does not matter: an Output can be written
// through a const reference to its vertex.
#pragma once

#include <stddef.h>

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

namespace detail {

constexpr bool has_length(VectorLayout layout) {
  return layout == VectorLayout::SPAN || layout == VectorLayout::SHORT_SPAN;
}

// Storage of a vector and the operations that all vectors share. T is const for inputs.
template <class T, bool HasLength>
struct Extent {
  T* first_;
  unsigned size_;

  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() const { return first_; }
  T* end() const { return first_ + size_; }
  const T* cbegin() const { return first_; }
  const T* cend() const { return first_ + size_; }
  T& front() const { return first_[0]; }
  T& back() const { return first_[size_ - 1]; }
  T* data() const { return first_; }
  T& operator[](size_t i) const { return first_[i]; }
};

template <class T>
struct Extent<T, false> {
  T* first_;

  T* begin() const { return first_; }
  T* data() const { return first_; }
  T& operator[](size_t i) const { return first_[i]; }
};

}  // namespace detail

// T: element type, or Input/Output/InOut of a Vector for a list of regions. MinAlign in bytes.
template <class T, VectorLayout L = VectorLayout::SPAN, unsigned MinAlign = alignof(T), bool Interleaved = false>
struct Vector : detail::Extent<T, detail::has_length(L)> {
  using value_type = T;
};

template <class T, VectorListLayout L = VectorListLayout::DELTAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
struct VectorList : detail::Extent<detail::Extent<T, L != VectorListLayout::ONE_PTR>, true> {
  using value_type = T;
};

namespace detail {

// An edge of one element.
template <class T>
struct ScalarEdge {
  T* element_;

  operator T&() const { return *element_; }
  T& operator*() const { return *element_; }
  T* operator->() const { return element_; }
};

// A written edge of one element: assignments go through to the element.
template <class T>
struct WrittenScalarEdge : ScalarEdge<T> {
  template <class U>
  T& operator=(const U& value) const {
    return *this->element_ = static_cast<T>(value);
  }
  T& operator=(const WrittenScalarEdge& other) const { return *this->element_ = *other.element_; }
  template <class U>
  T& operator+=(const U& value) const {
    return *this->element_ = static_cast<T>(*this->element_ + value);
  }
  template <class U>
  T& operator-=(const U& value) const {
    return *this->element_ = static_cast<T>(*this->element_ - value);
  }
  template <class U>
  T& operator*=(const U& value) const {
    return *this->element_ = static_cast<T>(*this->element_ * value);
  }
  template <class U>
  T& operator/=(const U& value) const {
    return *this->element_ = static_cast<T>(*this->element_ / value);
  }
};

// An edge of many elements: behaves as the vector itself and as a pointer to it.
template <class Base>
struct VectorEdge : Base {
  const VectorEdge& operator*() const { return *this; }
  const VectorEdge* operator->() const { return this; }
};

}  // namespace detail

template <class T>
struct Input : detail::ScalarEdge<const T> {};

template <class T>
struct Output : detail::WrittenScalarEdge<T> {
  using detail::WrittenScalarEdge<T>::operator=;
};

template <class T>
struct InOut : detail::WrittenScalarEdge<T> {
  using detail::WrittenScalarEdge<T>::operator=;
};

template <class T, VectorLayout L, unsigned A, bool I>
struct Input<Vector<T, L, A, I>> : detail::VectorEdge<detail::Extent<const T, detail::has_length(L)>> {};
template <class T, VectorLayout L, unsigned A, bool I>
struct Output<Vector<T, L, A, I>> : detail::VectorEdge<detail::Extent<T, detail::has_length(L)>> {};
template <class T, VectorLayout L, unsigned A, bool I>
struct InOut<Vector<T, L, A, I>> : detail::VectorEdge<detail::Extent<T, detail::has_length(L)>> {};

template <class T, VectorListLayout L, unsigned A, bool I>
struct Input<VectorList<T, L, A, I>>
    : detail::VectorEdge<detail::Extent<detail::Extent<const T, L != VectorListLayout::ONE_PTR>, true>> {};
template <class T, VectorListLayout L, unsigned A, bool I>
struct Output<VectorList<T, L, A, I>>
    : detail::VectorEdge<detail::Extent<detail::Extent<T, L != VectorListLayout::ONE_PTR>, true>> {};
template <class T, VectorListLayout L, unsigned A, bool I>
struct InOut<VectorList<T, L, A, I>>
    : detail::VectorEdge<detail::Extent<detail::Extent<T, L != VectorListLayout::ONE_PTR>, true>> {};

}  // namespace poplar
