// Constants with the same bytes are kept once on a tile.
#pragma once

#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/find_lives.h"
#include "compiler/passes/kept_apart.h"

namespace tessera::compiler {

// By block: the one whose memory it is in, itself for most. Others' are those that the load gives all their bytes, that
// nothing writes, that live always and that nothing keeps apart from others; the one is the first of them on its tile,
// and has what alignment and region any of them needs: `blocks` are changed in that.
std::vector<ir::BlockId> share_constants(const ir::Program& program, const Lives& lives, const AllKeptApart& kept_apart,
                                         ir::Blocks& blocks);

}  // namespace tessera::compiler
