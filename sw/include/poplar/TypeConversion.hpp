// Host values as the bytes of an element type, as they lie in tile memory and in streams, and back. Ranges are what has
// data() and size(), as std::vector and ArrayRef.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <poplar/Quarter.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>

namespace poplar {

namespace detail {
// `metadata` is of QUARTER alone, else null.
void toDevice(const Type& type, const QuarterMetadata* metadata, const void* values, std::size_t n,
              const TypeTraits& traits, void* dst);
std::vector<long double> fromDevice(const Type& type, const QuarterMetadata* metadata, const void* src, std::size_t n);

template <class Range>
void fill(Range&& dst, const std::vector<long double>& values) {
  using Value = typename std::decay<decltype(*dst.data())>::type;
  Value* to = const_cast<Value*>(dst.data());  // an ArrayRef shows its elements as const
  for (std::size_t i = 0; i < values.size(); ++i) to[i] = static_cast<Value>(values[i]);
}
}  // namespace detail

// dst has room for as many elements as the range. Integers wrap, floating point is rounded to nearest even; those with
// metadata are for QUARTER, the others for all other types. They throw type_error otherwise.
template <class Range>
void convertToDeviceType(const Type& type, const Range& src, void* dst) {
  using Value = typename std::decay<decltype(*src.data())>::type;
  detail::toDevice(type, nullptr, src.data(), src.size(), TypeTraits::make<Value>(), dst);
}
template <class Range>
void convertToDeviceType(const Type& type, const QuarterMetadata& metadata, const Range& src, void* dst) {
  using Value = typename std::decay<decltype(*src.data())>::type;
  detail::toDevice(type, &metadata, src.data(), src.size(), TypeTraits::make<Value>(), dst);
}
template <class Range>
void convertFromDeviceType(const Type& type, const void* src, Range&& dst) {
  detail::fill(dst, detail::fromDevice(type, nullptr, src, dst.size()));
}
template <class Range>
void convertFromDeviceType(const Type& type, const QuarterMetadata& metadata, const void* src, Range&& dst) {
  detail::fill(dst, detail::fromDevice(type, &metadata, src, dst.size()));
}

}  // namespace poplar
