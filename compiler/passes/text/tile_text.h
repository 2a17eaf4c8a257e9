// The text that each tile needs: of the one linked image, what the tile's own codelets may lead to. The rest of the
// image is not the tile's, and allocate() may use the memory for data.
#pragma once

#include <string>

#include "compiler/ir/program.h"
#include "compiler/passes/text/link_text.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// What no codelet of the graph needs by name is on all tiles: copy routine, and what the linker has joined.
TileText tile_text(const Text& text, const ir::Program& program, const spec::Machine& machine);

// A line a set: "set 1, 12 tiles: text 840 bytes, not there: 0x4c200-0x4c3f4".
std::string dump(const TileText& tile_text);

}  // namespace tessera::compiler
