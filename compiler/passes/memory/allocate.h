// Gives every block its address. Layout of a tile, from the bottom of memory:
//
//   text | control code | to the end of the element | event lists | to the end of the element | data ... | device data
//
// Data that find no room there go where text or device data are that the tile does not need (tile_text.h): of text, to
// elements in which it needs none.
//
// Text and control code share elements with nothing, event lists neither: a fetch never meets a data access and an
// event read never meets a send (docs/reference/tile.md, Memory). Data that never live together share memory.
#pragma once

#include <span>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/layout.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/text/link_text.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// `guard`: bytes that stay free behind each block of data. `homes`: by block, what it lies in (views.h); empty: each
// has memory of its own. When tiles are too small it throws OutOfTileMemory for the first of them, with a table of all
// (memory_report.h), or, with `overflow`, puts that message there and goes on: addresses mean nothing then. `apart`:
// what packets need beside the constraints of the codelets.
Layout allocate(const graph::Graph& graph, const spec::Machine& machine, const Text& text, const ir::Program& program,
                const Lives& lives, const ir::Blocks& blocks, const Homes& homes = {}, std::uint32_t guard = 0,
                std::string* overflow = nullptr, std::span<const ApartInPackets> apart = {});

// One line a block: "tile 0 0x58008 variable 16 bytes, block 3, life 2".
std::string dump_memory(const ir::Blocks& blocks, const Lives& lives, const Layout& layout);

}  // namespace tessera::compiler
