// One function describes a structure for writing and for reading. Beside the structure stands
//
//   template <class A>
//   void io(A& a, Point& p) { all(a, p.x, p.y, p.label); }
//
// and io(writer, point) appends it to a ByteWriter, io(reader, point) takes it from a ByteReader.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "formats/bytes.h"

namespace tessera::formats {

// The count before a list: the given one is written, or another is read.
template <class A>
size_t io_count(A& a, size_t count, size_t least_bytes = 1) {
  if constexpr (A::kReading) {
    return a.count(least_bytes);
  } else {
    a.varint(count);
    return count;
  }
}

// Numbers one after the other, without a count.
template <class A, Number T>
void io_numbers(A& a, T* first, size_t count) {
  a.raw(first, count * sizeof(T));
}

template <class A, Number T>
void io(A& a, T& value) {
  if constexpr (A::kReading)
    value = a.template number<T>();
  else
    a.number(value);
}

template <class A>
void io(A& a, std::string& text) {
  text.resize(io_count(a, text.size()));
  a.raw(text.data(), text.size());
}

template <class A, class T, size_t N>
void io(A& a, std::array<T, N>& values) {
  for (T& value : values) io(a, value);
}

template <class A, class T>
void io(A& a, std::vector<T>& values) {
  if constexpr (Number<T>) {
    values.resize(io_count(a, values.size(), sizeof(T)));
    io_numbers(a, values.data(), values.size());
  } else {
    values.resize(io_count(a, values.size()));
    for (T& value : values) io(a, value);
  }
}

template <class A, class... T>
void all(A& a, T&... values) {
  (io(a, values), ...);
}

}  // namespace tessera::formats
