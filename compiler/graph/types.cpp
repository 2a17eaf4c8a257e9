#include "compiler/graph/types.h"

#include <array>

namespace tessera::graph {
namespace {

struct Entry {
  std::string_view name;
  std::size_t size;
};

constexpr std::array<Entry, kNumElementTypes> kEntries = {{
    {"bool", 1},
    {"char", 1},
    {"unsigned char", 1},
    {"signed char", 1},
    {"short", 2},
    {"unsigned short", 2},
    {"int", 4},
    {"unsigned int", 4},
    {"long", 4},
    {"unsigned long", 4},
    {"long long", 8},
    {"unsigned long long", 8},
    {"half", 2},
    {"float", 4},
    {"quarter", 1},
    {"quarter_metadata", 1},
}};

}  // namespace

std::size_t size_of(ElementType type) { return kEntries[static_cast<unsigned>(type)].size; }

std::string_view name_of(ElementType type) { return kEntries[static_cast<unsigned>(type)].name; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (unsigned i = 0; i < kNumElementTypes; ++i) {
    if (kEntries[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

bool is_floating_point(ElementType type) {
  return type == ElementType::kHalf || type == ElementType::kFloat || type == ElementType::kQuarter;
}

bool is_signed(ElementType type) {
  switch (type) {
    case ElementType::kChar:  // signed in Poplar's CHAR; RV32's plain char is unsigned, popc compiles with
                              // -fsigned-char
    case ElementType::kSignedChar:
    case ElementType::kShort:
    case ElementType::kInt:
    case ElementType::kLong:
    case ElementType::kLongLong:
    case ElementType::kHalf:
    case ElementType::kFloat:
    case ElementType::kQuarter:
      return true;
    default:
      return false;
  }
}

}  // namespace tessera::graph
