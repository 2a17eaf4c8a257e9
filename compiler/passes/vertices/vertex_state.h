// The memory image of vertices (docs/reference/codelet-abi.md, Vertex state).
#pragma once

#include <span>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/passes/vertices/emit_state.h"

namespace tessera::compiler {

// Adds to `load` the states of `vertices`, those of a compute set on one tile. `arrays`: an empty block of the tile for
// what state fields point at (list entries, vectors of state). Returns those vectors, in order of vertices, fields.
std::vector<StateArray> emit_vertex_states(const graph::Graph& graph, const ir::Program& program,
                                           std::span<const ir::Vertex> vertices, ir::BlockId arrays, ir::Blocks& blocks,
                                           LoadData& load);

}  // namespace tessera::compiler
