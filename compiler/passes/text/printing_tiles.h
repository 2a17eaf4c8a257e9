// Tiles of which the host fetches what codelets print.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/text/link_text.h"

namespace tessera::compiler {

// Tiles with a vertex whose codelet may come to printf, ascending.
std::vector<std::uint32_t> printing_tiles(const Text& text, const ir::Program& program);

}  // namespace tessera::compiler
