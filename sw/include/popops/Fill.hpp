// Tensors set to one value, converted to their type.
#pragma once

#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/ElementWise.hpp>

namespace popops {

namespace detail {
void fill(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog, const Number& value,
          const poplar::DebugContext& debugContext);
void fill(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::vector<poplar::Interval>>& mapping,
          poplar::ComputeSet cs, const Number& value);
// Everything on one tile.
std::vector<std::vector<poplar::Interval>> onTile(const std::vector<poplar::Interval>& regions, unsigned tile);
}  // namespace detail

template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog, FillValueType fillValue,
          const poplar::DebugContext& debugContext = {}) {
  detail::fill(graph, t, prog, fillValue, debugContext);
}
// As part of a compute set: all of t, or regions of its flattened elements, on a tile or on each tile its regions.
template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::vector<poplar::Interval>>& mapping,
          poplar::ComputeSet fillCS, FillValueType fillValue) {
  detail::fill(graph, t, mapping, fillCS, fillValue);
}
template <typename FillValueType>
void fill(poplar::Graph& graph, poplar::Tensor t, const std::vector<poplar::Interval>& tileRegions, unsigned tile,
          poplar::ComputeSet fillCS, FillValueType fillValue) {
  detail::fill(graph, t, detail::onTile(tileRegions, tile), fillCS, fillValue);
}
template <typename FillValueType>
void fill(poplar::Graph& graph, const poplar::Tensor& t, unsigned tile, poplar::ComputeSet fillCS,
          FillValueType fillValue) {
  detail::fill(graph, t, detail::onTile({{0, t.numElements()}}, tile), fillCS, fillValue);
}

}  // namespace popops
