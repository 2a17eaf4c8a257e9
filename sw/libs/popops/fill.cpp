// Tensors set to one value.
#include <popops/Fill.hpp>
#include <popops/Zero.hpp>

#include "sw/libs/popops/element_wise_input.h"

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;
using Regions = std::vector<poplar::Interval>;

namespace detail {

void fill(Graph& graph, const Tensor& t, Sequence& prog, const Number& value, const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t), "fill");
  map_to_output(graph, expr::_1, {Input(value, t.elementType())}, t, prog, {info});
}

void fill(Graph& graph, const Tensor& t, const std::vector<Regions>& mapping, ComputeSet cs, const Number& value) {
  map_on_tiles(graph, expr::_1, {Input(value, t.elementType())}, t, mapping, cs);
}

std::vector<Regions> onTile(const Regions& regions, unsigned tile) {
  std::vector<Regions> mapping(tile + 1);
  mapping[tile] = regions;
  return mapping;
}

}  // namespace detail

void zero(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext) {
  detail::fill(graph, t, prog, 0, debugContext);
}
void zero(Graph& graph, const Tensor& t, unsigned tile, ComputeSet zeroCS) { fill(graph, t, tile, zeroCS, 0); }
void zero(Graph& graph, Tensor t, const Regions& tileRegions, unsigned tile, ComputeSet zeroCS) {
  fill(graph, t, tileRegions, tile, zeroCS, 0);
}
void zero(Graph& graph, const Tensor& t, const std::vector<Regions>& mapping, ComputeSet zeroCS) {
  fill(graph, t, mapping, zeroCS, 0);
}

}  // namespace popops
