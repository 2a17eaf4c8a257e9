// Tensors set to zero.
#pragma once

#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

void zero(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog,
          const poplar::DebugContext& debugContext = {});
// As part of a compute set: all of t, or regions of its flattened elements, on a tile or on each tile its regions.
void zero(poplar::Graph& graph, const poplar::Tensor& t, unsigned tile, poplar::ComputeSet zeroCS);
void zero(poplar::Graph& graph, poplar::Tensor t, const std::vector<poplar::Interval>& tileRegions, unsigned tile,
          poplar::ComputeSet zeroCS);
void zero(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::vector<poplar::Interval>>& mapping,
          poplar::ComputeSet zeroCS);

}  // namespace popops
