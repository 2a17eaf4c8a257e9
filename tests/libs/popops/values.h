// Elements of tensors as the host has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <poplar/HalfFloat.hpp>
#include <poplar/Type.hpp>
#include <type_traits>
#include <vector>

namespace popops_test {

using namespace poplar;

// A value of any type: exact for all but LONGLONG beyond 2^53.
using Values = std::vector<double>;

inline bool is_float(Type type) { return type == FLOAT || type == HALF; }

inline std::size_t size_of(Type type) {
  if (type == FLOAT || type == INT || type == UNSIGNED_INT) return 4;
  if (type == HALF || type == SHORT || type == UNSIGNED_SHORT) return 2;
  return 1;
}

template <class F>
auto with_type(Type type, F f) {
  if (type == FLOAT) return f(float());
  if (type == HALF) return f(half());
  if (type == INT) return f(int());
  if (type == UNSIGNED_INT) return f(unsigned());
  if (type == SHORT) return f(short());
  if (type == UNSIGNED_SHORT) return f(static_cast<unsigned short>(0));
  if (type == SIGNED_CHAR) return f(static_cast<signed char>(0));
  if (type == UNSIGNED_CHAR) return f(static_cast<unsigned char>(0));
  return f(false);
}

template <class T>
double to_double(T value) {
  if constexpr (std::is_same_v<T, half>)
    return static_cast<float>(value);
  else
    return static_cast<double>(value);
}

// The value as the type holds it.
inline double rounded(Type type, double value) {
  return with_type(type, [&](auto t) -> double {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, float>) return static_cast<float>(value);
    if constexpr (std::is_same_v<T, half>) return static_cast<float>(half(static_cast<float>(value)));
    if constexpr (std::is_same_v<T, bool>) return value != 0;
    return static_cast<double>(static_cast<T>(static_cast<std::int64_t>(value)));
  });
}

}  // namespace popops_test
