// Element types of tensors and codelet fields, with their sizes in tile memory and the spelling that Poplar gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::graph {

enum class ElementType : std::uint8_t {
  kBool,
  kChar,
  kUnsignedChar,
  kSignedChar,
  kShort,
  kUnsignedShort,
  kInt,
  kUnsignedInt,
  kLong,
  kUnsignedLong,
  kLongLong,
  kUnsignedLongLong,
  kHalf,
  kFloat,
  kQuarter,          // eight-bit float, read by metadata
  kQuarterMetadata,  // format and scale of quarters
};

inline constexpr unsigned kNumElementTypes = 16;

// Bytes of one element in tile memory (long is 4 bytes on RV32).
std::size_t size_of(ElementType type);

// C++ spelling ("float", "unsigned int", ...), as it appears in vertex names.
std::string_view name_of(ElementType type);

// The type with that spelling, none if there is no such type.
std::optional<ElementType> element_type_named(std::string_view name);

bool is_floating_point(ElementType type);
bool is_signed(ElementType type);

}  // namespace tessera::graph
