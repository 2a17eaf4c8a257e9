// A view of a contiguous array that somebody else owns; valid no longer than that array.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <vector>

#include <poplar/StandardHeaders.hpp>

namespace poplar {

template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const T&;
  using const_reference = const T&;
  using pointer = const T*;
  using const_pointer = const T*;
  using iterator = const T*;
  using const_iterator = const T*;

  ArrayRef() : data_(nullptr), size_(0) {}
  ArrayRef(std::nullptr_t) = delete;
  ArrayRef(const T* data, std::size_t size) : data_(data), size_(size) {}
  template <class A>
  ArrayRef(const std::vector<T, A>& v) : data_(v.data()), size_(v.size()) {}
  template <std::size_t N>
  ArrayRef(const std::array<T, N>& a) : data_(a.data()), size_(N) {}
  template <std::size_t N>
  ArrayRef(const T (&a)[N]) : data_(a), size_(N) {}
  ArrayRef(const std::initializer_list<T>& list) : ArrayRef(list.begin(), list.size()) {}

  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t max_size() const { return std::numeric_limits<std::size_t>::max() / sizeof(T); }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  iterator begin() const { return data_; }
  iterator end() const { return data_ + size_; }
  const_iterator cbegin() const { return data_; }
  const_iterator cend() const { return data_ + size_; }
  std::vector<T> cloneAsVector() const { return std::vector<T>(begin(), end()); }

  bool operator==(ArrayRef other) const { return size_ == other.size_ && std::equal(begin(), end(), other.begin()); }
  bool operator!=(ArrayRef other) const { return !(*this == other); }

 protected:
  const T* data_;
  std::size_t size_;
};

}  // namespace poplar
