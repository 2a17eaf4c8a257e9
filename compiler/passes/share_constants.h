// Constants with the same bytes are kept once on a tile.
#pragma once

#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/find_lives.h"

namespace tessera::compiler {

// By block: the one whose memory it is in, itself for most. Others' are those that the load gives all their bytes, that
// nothing writes and that live always; the one is the first of them on its tile, and has what alignment and region any
// of them needs: `blocks` are changed in that.
std::vector<ir::BlockId> share_constants(const ir::Program& program, const Lives& lives, ir::Blocks& blocks);

}  // namespace tessera::compiler
