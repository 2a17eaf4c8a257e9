// All-reduce of large tensors: each rank reduces a part of them, then all gather.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <vector>

#include "sw/libs/gcl/ranks.h"
#include "sw/libs/gcl/turns.h"

namespace gcl {

// In place. ways: one, or two, each for a half of what a tile has. Tensors that lie in several parts on a tile, or on
// too few tiles, go through one that does not.
void reduce_in_turns(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op, const Ranks& ranks,
                     const std::vector<Turns>& ways, poplar::program::Sequence& prog,
                     const poplar::DebugContext& debugContext);

}  // namespace gcl
