// Ranges of a tile's addresses.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::compiler {

struct AddressRange {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const AddressRange&) const = default;
};

// Ascending, neither overlapping nor touching.
std::vector<AddressRange> joined(std::vector<AddressRange> ranges);

// Adds the parts of `whole` that none of `covers` holds; those are ascending by `begin`, and may overlap.
void add_gaps(AddressRange whole, const std::vector<AddressRange>& covers, std::vector<AddressRange>& gaps);

}  // namespace tessera::compiler
