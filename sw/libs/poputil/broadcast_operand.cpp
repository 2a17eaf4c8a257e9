#include <algorithm>

#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;

namespace {

// Which of the n elements of the last dimension the regions of a tensor touch.
std::vector<Interval> last_dimension(const std::vector<Interval>& regions, std::size_t n) {
  std::vector<bool> touched(n);
  for (const Interval& region : regions) {
    const std::size_t end = std::min(region.end(), region.begin() + n);
    for (std::size_t i = region.begin(); i < end; ++i) touched[i % n] = true;
  }
  std::vector<Interval> out;
  for (std::size_t i = 0; i < n; ++i) {
    if (touched[i]) out.emplace_back(i, i + 1);
  }
  mergeAdjacentRegions(out);
  return out;
}

}  // namespace

Tensor createBroadcastOperand(Graph& graph, const Tensor& fullTensor, const poplar::Type& type, unsigned dim,
                              bool ditherMapping, const poplar::DebugContext& debugContext) {
  PoplibsOpDebugInfo info(debugContext, DI_ARGS(fullTensor, type, dim, ditherMapping));
  if (dim >= fullTensor.rank())
    throw poplibs_error("createBroadcastOperand: '" + fullTensor.getDebugStr() + "' of shape " +
                        fullTensor.shapeToString() + " has no dimension " + std::to_string(dim));
  const poplar::Target& target = graph.getTarget();
  const std::size_t n = fullTensor.dim(dim);
  const Tensor out = graph.addVariable(type, {n}, {info});
  const auto full = graph.getTileMapping(fullTensor.dimRoll(dim, fullTensor.rank() - 1));
  TensorUseTracker uses(target.getNumTiles());
  for (unsigned tile = 0; tile < full.size(); ++tile) {
    const std::vector<Interval> regions = last_dimension(full[tile], n);
    if (!regions.empty()) uses.add(graph, tile, concat(out.slices(regions)));
  }
  if (uses.empty())
    mapTensorLinearly(graph, out);
  else
    uses.mapTensorsByUse(graph, std::max(1U, target.getVectorWidth(type)), 0, false,
                         TensorUseTracker::MappingMethod::ConstrainMappingToUsedTiles);
  if (ditherMapping) {
    auto mapping = graph.getTileMapping(out);
    const std::size_t turn = chooseMappingOffset(mapping.size(), fullTensor.shape());
    std::rotate(mapping.begin(), mapping.end() - static_cast<std::ptrdiff_t>(turn), mapping.end());
    graph.setTileMapping(out, mapping);
  }
  info.addOutput(out);
  return out;
}

}  // namespace poputil
