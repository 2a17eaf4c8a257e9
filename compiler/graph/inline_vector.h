// A vector of trivially copyable values that keeps up to N of them without allocating: views have few dimensions and
// there are millions of views.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace tessera::graph {

template <class T, std::size_t N>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  InlineVector() = default;
  InlineVector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class It>
  InlineVector(It first, It last) {
    assign(first, last);
  }
  InlineVector(const InlineVector& other) { assign(other.begin(), other.end()); }
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~InlineVector() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return const_cast<T*>(std::as_const(*this).data()); }
  const T* data() const { return on_heap() ? heap() : reinterpret_cast<const T*>(storage_); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void clear() { size_ = 0; }
  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  void push_back(const T& value) {
    const T copy = value;
    reserve(size_ + 1);
    data()[size_++] = copy;
  }
  void pop_back() { --size_; }
  void resize(std::size_t n, const T& value = T{}) {
    reserve(n);
    for (std::size_t i = size_; i < n; ++i) data()[i] = value;
    size_ = static_cast<std::uint32_t>(n);
  }
  void insert(std::size_t at, const T& value) {
    const T copy = value;
    reserve(size_ + 1);
    std::memmove(static_cast<void*>(data() + at + 1), data() + at, (size_ - at) * sizeof(T));
    data()[at] = copy;
    ++size_;
  }
  void erase(std::size_t at) {
    std::memmove(static_cast<void*>(data() + at), data() + at + 1, (size_ - at - 1) * sizeof(T));
    --size_;
  }
  template <class It>
  void assign(It first, It last) {
    clear();
    reserve(static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) data()[size_++] = static_cast<T>(*first);
  }

  bool operator==(const InlineVector& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  bool on_heap() const { return capacity_ > N; }
  T* heap() const {
    T* heap;
    std::memcpy(&heap, storage_, sizeof heap);
    return heap;
  }
  void release() {
    if (on_heap()) delete[] heap();
    capacity_ = N;
  }
  void take(InlineVector& other) {
    capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(N));
    size_ = std::exchange(other.size_, 0);
    std::memcpy(storage_, other.storage_, on_heap() ? sizeof(T*) : size_ * sizeof(T));
  }
  void grow(std::size_t n) {
    const std::size_t capacity = std::max<std::size_t>(n, std::size_t{2} * capacity_);
    T* larger = new T[capacity];
    std::copy(begin(), end(), larger);
    release();
    std::memcpy(storage_, &larger, sizeof larger);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;  // more: storage_ holds the address of the values
  alignas(T) alignas(T*) unsigned char storage_[std::max(N * sizeof(T), sizeof(T*))];
};

}  // namespace tessera::graph
