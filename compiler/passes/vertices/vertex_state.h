// The memory image of vertices (docs/reference/codelet-abi.md, Vertex state).
#pragma once

#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/passes/vertices/emit_state.h"

namespace tessera::compiler {

// Of the vertices of a compute set on one tile.
struct VertexStates {
  LoadData data;
  std::vector<StateArray> arrays;  // in order of vertices, fields
};

// `arrays`: an empty block of the tile for what state fields point at (list entries, vectors of state).
VertexStates emit_vertex_states(const graph::Graph& graph, const ir::Program& program, const ir::Compute& compute,
                                std::uint32_t tile, ir::BlockId arrays, ir::Blocks& blocks);

}  // namespace tessera::compiler
