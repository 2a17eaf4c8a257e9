// Where blocks lie in tile memory, and what each tile uses: what allocate() comes to.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/image/executable.h"
#include "compiler/ir/block.h"
#include "compiler/passes/memory/views.h"
#include "compiler/passes/text/link_text.h"

namespace tessera::compiler {

// Where a tile has data in place of text that it does not need.
struct TextRoom {
  std::uint32_t tile = 0;
  AddressRange range;
};

struct Layout {
  std::vector<std::uint32_t> addresses;  // by block
  Homes homes{};                         // those that lie in others
  std::vector<image::TileUsage> usage;   // by tile
  std::vector<TextRoom> text_rooms{};    // by tile and address

  std::uint32_t address_of(const ir::Place& place) const { return addresses[place.block] + place.offset; }
};

}  // namespace tessera::compiler
