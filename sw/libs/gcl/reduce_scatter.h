// The ring that reduces.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/gcl/ranks.h"

namespace gcl {

// Of the n parts of data, padded, that of the own rank, combined over all ranks: shape {elements of a part}.
poplar::Tensor reduce_scatter(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                              const Ranks& ranks, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext);

}  // namespace gcl
