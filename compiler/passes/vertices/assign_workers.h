// Spreads the vertices of a compute set on each tile over the workers: the dearest first, each to the worker with the
// least to do so far. A MultiVertex goes to all six, a supervisor vertex to the supervisor.
#pragma once

#include <span>
#include <string>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Of one compute set on one tile.
void assign_workers(std::span<ir::Vertex> of_tile);
// `threads`: as in parallel.h.
void assign_workers(ir::Program& program, unsigned threads);

// Which worker runs which vertex, one line each.
std::string dump_workers(const ir::Program& program);

}  // namespace tessera::compiler
