// What a host scalar type is, so that values can be handed over as untyped memory and converted to the element type.
#pragma once

#include <cstddef>
#include <type_traits>

#include <poplar/HalfFloat.hpp>
#include <poplar/Type.hpp>

namespace poplar {

struct TypeTraits {
  std::size_t size;
  std::size_t align;
  bool isSigned;
  bool isFloat;
  bool isSimple;  // a scalar that can be converted to an element type
  bool isHalf;    // two-byte IEEE half

  template <class T>
  static TypeTraits make() {
    TypeTraits traits = {sizeof(T),
                         alignof(T),
                         std::is_signed<T>::value || std::is_same<T, half>::value,
                         std::is_floating_point<T>::value || std::is_same<T, half>::value,
                         isSimpleType<T>(),
                         std::is_same<T, half>::value};
    return traits;
  }
  template <class T>
  static constexpr bool isSimpleType() {
    return std::is_arithmetic<T>::value || std::is_same<T, half>::value;
  }
};

}  // namespace poplar
