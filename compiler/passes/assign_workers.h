// Spreads the vertices of a compute set on each tile over the workers: the dearest first, each to the worker with the
// least to do so far. A MultiVertex goes to all six, a supervisor vertex to the supervisor.
#pragma once

#include "compiler/passes/lowered.h"

namespace tessera::compiler {

void assign_workers(const graph::Graph& graph, Compute& compute);

}  // namespace tessera::compiler
