// Where blocks lie in tile memory, and what each tile uses: what allocate() comes to.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/image/executable.h"
#include "compiler/ir/block.h"

namespace tessera::compiler {

struct Layout {
  std::vector<std::uint32_t> addresses;  // by block
  std::vector<image::TileUsage> usage;   // by tile

  std::uint32_t address_of(const ir::Place& place) const { return addresses[place.block] + place.offset; }
};

}  // namespace tessera::compiler
