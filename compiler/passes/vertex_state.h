// The memory image of vertices (docs/reference/codelet-abi.md, Vertex state).
#pragma once

#include "compiler/graph/graph.h"
#include "compiler/passes/emit_state.h"

namespace tessera::compiler {

// Adds contents and pointers of the states of a compute set's vertices on one tile to `state`; arrays that state fields
// point at (list entries, vectors of state) get a block of their own.
void emit_vertex_states(const graph::Graph& graph, const ir::Program& program, const ir::Compute& compute,
                        std::uint32_t tile, ir::Blocks& blocks, State& state);

}  // namespace tessera::compiler
