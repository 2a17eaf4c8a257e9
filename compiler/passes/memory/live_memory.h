// What shares memory with something else, step by step: the bytes of it that are live.
#pragma once

#include <vector>

#include "compiler/image/executable.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/views.h"

namespace tessera::compiler {

// Of each point at which anything is live that is not so always, in the order of points.
// Of the tiles of one chip, which have its numbers. What lies in another block (`homes`, views.h) takes none.
std::vector<image::LiveMemory> live_memory(const ir::Program& program, const ir::Blocks& blocks, const Lives& lives,
                                           const Homes& homes = {}, std::uint32_t chip = 0);

}  // namespace tessera::compiler
