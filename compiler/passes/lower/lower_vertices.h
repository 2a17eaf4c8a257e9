// Lowers compute sets: gives every vertex its state and every region of its edges a place on its tile.
//
// A region whose elements stand together and aligned on the vertex's tile is used in place. Any other gets a buffer
// there, which moves before the compute set fill (inputs) and moves after it empty (outputs).
#pragma once

#include "compiler/ir/program.h"
#include "compiler/passes/lower/storage.h"

namespace tessera::compiler {

// Of the program's computes, and of its exchanges; kNone if nothing is to be moved.
struct LoweredComputeSet {
  std::uint32_t compute = ir::kNone;
  std::uint32_t gather = ir::kNone, scatter = ir::kNone;
};

// Adds them to `program`. `threads`: as in parallel.h.
LoweredComputeSet lower_compute_set(const graph::Graph& graph, graph::ComputeSetId id, Storage& storage,
                                    ir::Program& program, unsigned threads);

}  // namespace tessera::compiler
