// All-reduce in one phase: everybody gets everything.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/gcl/ranks.h"

namespace gcl {

// In place.
void reduce_at_once(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op, const Ranks& ranks,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);

}  // namespace gcl
