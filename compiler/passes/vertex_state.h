// The memory image of vertices (docs/reference/codelet-abi.md, Vertex state).
#pragma once

#include "compiler/passes/lowered.h"

namespace tessera::compiler {

// Emits contents and pointers of the states of a compute set's vertices on one tile; arrays that state fields point at
// (list entries, vectors of state) get a block of their own.
void emit_vertex_states(const graph::Graph& graph, Lowered& lowered, const Compute& compute, std::uint32_t tile);

}  // namespace tessera::compiler
