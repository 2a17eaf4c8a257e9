// Gathers what all ranks have, in one phase.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/gcl/ranks.h"

namespace gcl {

// {n, elements}: `part`, flat, of all ranks.
poplar::Tensor gather(poplar::Graph& graph, const poplar::Tensor& part, const Ranks& ranks,
                      poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);

}  // namespace gcl
