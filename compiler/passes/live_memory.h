// What shares memory with something else, step by step: the bytes of it that are live.
#pragma once

#include <vector>

#include "compiler/image/executable.h"
#include "compiler/passes/find_lives.h"

namespace tessera::compiler {

// Of each point at which anything is live that is not so always, in the order of points.
std::vector<image::LiveMemory> live_memory(const ir::Program& program, const ir::Blocks& blocks, const Lives& lives);

}  // namespace tessera::compiler
