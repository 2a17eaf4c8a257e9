// Half-open range of indices [begin, end).
#pragma once

#include <cstddef>
#include <ostream>

namespace poplar {

template <class T>
struct GenericInterval {
  GenericInterval() : lower_(), upper_() {}
  GenericInterval(T begin, T end) : lower_(begin), upper_(end) {}

  const T& begin() const { return lower_; }
  const T& end() const { return upper_; }
  T size() const { return upper_ - lower_; }

 private:
  T lower_;
  T upper_;
};

template <class T>
bool operator==(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return a.begin() == b.begin() && a.end() == b.end();
}
template <class T>
bool operator!=(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return !(a == b);
}
template <class T>
bool operator<(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return a.begin() < b.begin() || (a.begin() == b.begin() && a.end() < b.end());
}
template <class T>
bool operator>(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return b < a;
}
template <class T>
bool operator<=(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return !(b < a);
}
template <class T>
bool operator>=(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return !(a < b);
}
template <class T>
std::ostream& operator<<(std::ostream& os, const GenericInterval<T>& i) {
  return os << '[' << i.begin() << ',' << i.end() << ')';
}

using Interval = GenericInterval<std::size_t>;

}  // namespace poplar
