// Between arrays of the host and elements as they lie in tile memory and in streams.
#pragma once

#include <cstddef>
#include <type_traits>

#include <poplar/ArrayRef.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>

namespace poplar {

namespace detail {
void convertToDevice(const Type& type, const void* src, const TypeTraits& traits, std::size_t n, void* dst);
void convertFromDevice(const Type& type, const void* src, const TypeTraits& traits, bool toBool, std::size_t n,
                       void* dst);
}  // namespace detail

// dst has room for as many elements of the type. Integers wrap; floating point is truncated to integers, and rounded to
// nearest even to HALF and FLOAT.
template <class T>
void convertToDeviceType(const Type& type, ArrayRef<T> src, void* dst) {
  static_assert(TypeTraits::isSimpleType<T>(), "only scalars have an element type");
  detail::convertToDevice(type, src.data(), TypeTraits::make<T>(), src.size(), dst);
}

// As many elements as dst has room for, which is written to.
template <class T>
void convertFromDeviceType(const Type& type, const void* src, ArrayRef<T> dst) {
  static_assert(TypeTraits::isSimpleType<T>() && !std::is_same<T, long double>::value,
                "only scalars have an element type");
  detail::convertFromDevice(type, src, TypeTraits::make<T>(), std::is_same<T, bool>::value, dst.size(),
                            const_cast<T*>(dst.data()));
}

}  // namespace poplar
