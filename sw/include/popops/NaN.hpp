// Whether a tensor has an element that is not a number, or not finite.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// One BOOL, of shape {}; src is FLOAT or HALF.
poplar::Tensor hasNaN(poplar::Graph& graph, const poplar::Tensor& src, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor hasNaNOrInf(poplar::Graph& graph, const poplar::Tensor& src, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});

}  // namespace popops
