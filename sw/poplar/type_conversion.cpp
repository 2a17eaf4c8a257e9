#include <poplar/TypeConversion.hpp>

#include <cstring>

#include "sw/poplar/impl.h"

namespace poplar::detail {
namespace {

namespace g = tessera::graph;
using g::ElementType;

// An element as a scalar of the host.
TypeTraits traits_of(ElementType type) {
  const std::size_t size = g::size_of(type);
  return {size, size, g::is_signed(type), g::is_floating_point(type), true, type == ElementType::kHalf};
}

ElementType integer_type(std::size_t size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? ElementType::kSignedChar : ElementType::kUnsignedChar;
    case 2:
      return is_signed ? ElementType::kShort : ElementType::kUnsignedShort;
    case 4:
      return is_signed ? ElementType::kInt : ElementType::kUnsignedInt;
    default:
      return is_signed ? ElementType::kLongLong : ElementType::kUnsignedLongLong;
  }
}

// Through a type of 64 bits at most that holds every value: From.
template <class From>
void to_double(const void* src, ElementType type, ElementType through, std::size_t n, void* dst) {
  const std::vector<std::uint8_t> values = convert_values(src, n, traits_of(type), through);
  for (std::size_t i = 0; i < n; ++i) {
    From value;
    std::memcpy(&value, values.data() + i * sizeof value, sizeof value);
    const double wide = static_cast<double>(value);
    std::memcpy(static_cast<char*>(dst) + i * sizeof wide, &wide, sizeof wide);
  }
}

void copy_out(const std::vector<std::uint8_t>& values, void* dst) {
  if (!values.empty()) std::memcpy(dst, values.data(), values.size());
}

}  // namespace

void convertToDevice(const Type& type, const void* src, const TypeTraits& traits, std::size_t n, void* dst) {
  copy_out(convert_values(src, n, traits, element_type(type)), dst);
}

void convertFromDevice(const Type& type, const void* src, const TypeTraits& traits, bool toBool, std::size_t n,
                       void* dst) {
  const ElementType from = element_type(type);
  if (traits.isFloat && traits.size == sizeof(double)) {
    if (g::is_floating_point(from)) return to_double<float>(src, from, ElementType::kFloat, n, dst);
    if (g::is_signed(from)) return to_double<std::int64_t>(src, from, ElementType::kLongLong, n, dst);
    return to_double<std::uint64_t>(src, from, ElementType::kUnsignedLongLong, n, dst);
  }
  const ElementType to = toBool           ? ElementType::kBool
                         : traits.isHalf  ? ElementType::kHalf
                         : traits.isFloat ? ElementType::kFloat
                                          : integer_type(traits.size, traits.isSigned);
  copy_out(convert_values(src, n, traits_of(from), to), dst);
}

}  // namespace poplar::detail
