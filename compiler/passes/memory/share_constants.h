// Constants with the same bytes are kept once on a tile.
#pragma once

#include "compiler/ir/program.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/kept_apart.h"
#include "compiler/passes/memory/views.h"

namespace tessera::compiler {

// Puts blocks in `homes` (views.h) of equal ones: those that the load gives all their bytes, that nothing writes, that
// live always and that nothing keeps apart from others; the home is the first of them on its tile, and has what
// alignment and region any of them needs: `blocks` are changed in that.
void share_constants(const ir::Program& program, const Lives& lives, const AllKeptApart& kept_apart, ir::Blocks& blocks,
                     Homes& homes);

}  // namespace tessera::compiler
