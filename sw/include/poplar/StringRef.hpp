// A view of characters that somebody else owns; not necessarily zero-terminated.
#pragma once

#include <cstring>
#include <functional>
#include <ostream>
#include <string>

#include <poplar/ArrayRef.hpp>

namespace poplar {

class StringRef : public ArrayRef<char> {
 public:
  StringRef() {}
  StringRef(std::nullptr_t) = delete;
  StringRef(const char* s) : ArrayRef<char>(s, std::strlen(s)) {}
  StringRef(const char* s, std::size_t n) : ArrayRef<char>(s, n) {}
  StringRef(const std::string& s) : ArrayRef<char>(s.data(), s.size()) {}

  std::string cloneAsString() const { return std::string(data_ == nullptr ? "" : data_, size_); }
  operator std::string() const { return cloneAsString(); }
};

inline bool operator==(StringRef a, StringRef b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}
inline bool operator!=(StringRef a, StringRef b) { return !(a == b); }
inline bool operator<(StringRef a, StringRef b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
inline std::string operator+(StringRef a, StringRef b) { return a.cloneAsString() + b.cloneAsString(); }
inline std::ostream& operator<<(std::ostream& os, StringRef s) {
  return os.write(s.data(), static_cast<std::streamsize>(s.size()));
}

}  // namespace poplar
