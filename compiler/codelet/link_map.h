// The linker's map (ld.lld -Map): where each section of each object has come to lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::compiler {

struct PlacedSection {
  std::uint32_t address = 0, bytes = 0;
  std::size_t object = 0;  // the file was called <object>.o
  std::string_view name{};
};

// Those of tile memory that hold bytes, by address; sections that the linker made of several (strings that are equal)
// belong to no object and are left out. Views point into `map`.
std::vector<PlacedSection> read_link_map(std::string_view map);

}  // namespace tessera::compiler
