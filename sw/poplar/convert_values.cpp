#include <cstring>
#include <poplar/TypeConversion.hpp>
#include <poplar/exceptions.hpp>
#include <string>

#include "sw/poplar/impl.h"

namespace poplar::detail {
namespace {

using tessera::graph::ElementType;

// A host scalar; integers and floating point apart so that neither loses bits.
struct Scalar {
  bool is_float;
  long double real;
  std::uint64_t integer;  // two's complement
  bool is_signed;
};

template <class T>
T load(const unsigned char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <class S, class U>
Scalar integer(const unsigned char* p, bool is_signed) {
  if (is_signed) return {false, 0, static_cast<std::uint64_t>(static_cast<std::int64_t>(load<S>(p))), true};
  return {false, 0, load<U>(p), false};
}

Scalar read(const unsigned char* p, const TypeTraits& traits) {
  if (traits.isHalf) return {true, halfBitsToFloat(load<std::uint16_t>(p)), 0, true};
  if (traits.isFloat) {
    if (traits.size == sizeof(float)) return {true, load<float>(p), 0, true};
    if (traits.size == sizeof(double)) return {true, load<double>(p), 0, true};
    return {true, load<long double>(p), 0, true};
  }
  switch (traits.size) {
    case 1:
      return integer<std::int8_t, std::uint8_t>(p, traits.isSigned);
    case 2:
      return integer<std::int16_t, std::uint16_t>(p, traits.isSigned);
    case 4:
      return integer<std::int32_t, std::uint32_t>(p, traits.isSigned);
    default:
      return integer<std::int64_t, std::uint64_t>(p, traits.isSigned);
  }
}

std::uint64_t to_integer(const Scalar& s) {
  if (!s.is_float) return s.integer;
  if (s.real < 0) return static_cast<std::uint64_t>(static_cast<std::int64_t>(s.real));
  return static_cast<std::uint64_t>(s.real);
}

float to_float(const Scalar& s) {
  if (s.is_float) return static_cast<float>(s.real);
  return s.is_signed ? static_cast<float>(static_cast<std::int64_t>(s.integer)) : static_cast<float>(s.integer);
}

// A long double holds every 64-bit integer; to double it would be rounded twice only above 2^53, where every half is
// infinite.
std::uint16_t to_half(const Scalar& s) {
  if (s.is_float) return doubleToHalfBits(static_cast<double>(s.real));
  return doubleToHalfBits(s.is_signed ? static_cast<double>(static_cast<std::int64_t>(s.integer))
                                      : static_cast<double>(s.integer));
}

// Every double of a 64-bit integer that is rounded is beyond all quarters.
std::uint8_t to_quarter(const Scalar& s, const QuarterMetadata* metadata) {
  const double value = s.is_float    ? static_cast<double>(s.real)
                       : s.is_signed ? static_cast<double>(static_cast<std::int64_t>(s.integer))
                                     : static_cast<double>(s.integer);
  if (metadata != nullptr) return quarter(value, *metadata).bits();
  if (value == 0) return 0;
  throw type_error("Values of QUARTER other than 0 need metadata that is a constant");
}

template <class T>
long double number(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void check_conversion(const Type& type, const QuarterMetadata* metadata, const char* function) {
  if (type.requiresMetadata() == (metadata != nullptr)) return;
  throw type_error(std::string(function) + ": " + type.toString().cloneAsString() +
                   (metadata == nullptr ? " needs metadata" : " has no metadata"));
}

}  // namespace

long double element_value(ElementType type, const std::uint8_t* bytes) {
  if (type == ElementType::kFloat) return number<float>(bytes);
  if (type == ElementType::kHalf) return half::fromBits(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8));
  const bool is_signed = tessera::graph::is_signed(type);
  switch (tessera::graph::size_of(type)) {
    case 1:
      return is_signed ? number<std::int8_t>(bytes) : number<std::uint8_t>(bytes);
    case 2:
      return is_signed ? number<std::int16_t>(bytes) : number<std::uint16_t>(bytes);
    case 4:
      return is_signed ? number<std::int32_t>(bytes) : number<std::uint32_t>(bytes);
    default:
      return is_signed ? number<std::int64_t>(bytes) : number<std::uint64_t>(bytes);
  }
}

std::vector<std::uint8_t> convert_values(const void* values, std::size_t n, const TypeTraits& traits, ElementType type,
                                         const QuarterMetadata* metadata) {
  const std::size_t size = tessera::graph::size_of(type);
  std::vector<std::uint8_t> out(n * size);
  const bool same_layout = (type == ElementType::kFloat && traits.isFloat && traits.size == 4) ||
                           (type == ElementType::kHalf && traits.isHalf);
  if (same_layout) {
    if (n != 0) std::memcpy(out.data(), values, out.size());
    return out;
  }
  const unsigned char* from = static_cast<const unsigned char*>(values);
  for (std::size_t i = 0; i < n; ++i) {
    const Scalar s = read(from + i * traits.size, traits);
    std::uint8_t* to = out.data() + i * size;
    if (type == ElementType::kFloat) {
      const float f = to_float(s);
      std::memcpy(to, &f, sizeof f);
    } else if (type == ElementType::kHalf) {
      const std::uint16_t h = to_half(s);
      std::memcpy(to, &h, sizeof h);
    } else if (type == ElementType::kQuarter) {
      *to = to_quarter(s, metadata);
    } else if (type == ElementType::kBool) {
      *to = s.is_float ? s.real != 0 : s.integer != 0;
    } else {
      const std::uint64_t bits = to_integer(s);
      for (std::size_t b = 0; b < size; ++b) to[b] = static_cast<std::uint8_t>(bits >> (8 * b));
    }
  }
  return out;
}

void toDevice(const Type& type, const QuarterMetadata* metadata, const void* values, std::size_t n,
              const TypeTraits& traits, void* dst) {
  check_conversion(type, metadata, "convertToDeviceType");
  const std::vector<std::uint8_t> bytes = convert_values(values, n, traits, element_type(type), metadata);
  if (!bytes.empty()) std::memcpy(dst, bytes.data(), bytes.size());
}

std::vector<long double> fromDevice(const Type& type, const QuarterMetadata* metadata, const void* src, std::size_t n) {
  check_conversion(type, metadata, "convertFromDeviceType");
  const auto* bytes = static_cast<const std::uint8_t*>(src);
  const std::size_t size = tessera::graph::size_of(element_type(type));
  std::vector<long double> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(metadata != nullptr ? quarter::fromBits(bytes[i]).toFloat(*metadata)
                                      : element_value(element_type(type), bytes + i * size));
  return out;
}

}  // namespace poplar::detail
