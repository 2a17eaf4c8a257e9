// The state of the workers' random number generators, read and set by a program.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

// Reads it, at this point of the sequence: an UNSIGNED_INT tensor of tiles, workers and the four words of a generator
// (CSRs xprng0..3), each tile's part on it. Nothing is drawn.
Tensor getHwSeeds(Graph& graph, program::Sequence& prog, const DebugContext& debugContext = {});

// Sets it to what such a tensor holds. Throws poplar_error for one of another shape or type.
void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& prog, const DebugContext& debugContext = {});

}  // namespace poplar
