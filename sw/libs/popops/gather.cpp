#include <popops/Gather.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/DynamicSlice.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/index_vectors.h"
#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/slice_plan.h"

namespace popops {

using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

bool has(const Shape& list, std::size_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

// [batch..., slice...]
Tensor found_slices(Graph& graph, IndexVectors& vectors, const OffsetOptions& options, Sequence& prog,
                    const poplar::DebugContext& context) {
  if (!vectors.indexed())
    return vectors.to_slices(vectors.table().expand({0}).broadcast(static_cast<unsigned>(vectors.number()), 0));
  const Tensor offsets = vectors.offsets(options, prog, context);
  return vectors.to_slices(
      multiSlice(graph, vectors.table(), offsets.expand({1}), {0}, {vectors.size()}, prog, SlicePlan(), {}, context));
}

}  // namespace

Tensor createGatherInput(Graph& graph, const poplar::Type& type, const Shape& operandShape, unsigned axis,
                         GatherParams params, const poplar::DebugContext& debugContext) {
  check_dims("createGatherInput", "operandShape", operandShape, {axis}, {0});
  if (params.maxElementsPerTile == 0) throw poputil::poplibs_error("createGatherInput: at most 0 elements on a tile");
  const std::size_t size = operandShape[axis];
  if (size <= params.maxElementsPerTile)
    return createSliceableTensor(graph, type, operandShape, {axis}, {1}, 0, debugContext);
  const std::size_t others =
      std::accumulate(operandShape.begin(), operandShape.end(), std::size_t{1}, std::multiplies<std::size_t>()) / size;
  const std::size_t tiles = graph.getTarget().getNumTiles();
  std::unique_ptr<SlicePlanInternal> plan(new SlicePlanInternal);
  plan->planned = true;
  plan->type = type;
  plan->rows = size;
  plan->columns = others;
  plan->tiles = tiles;
  plan->row_parts = std::min(tiles, (size + params.maxElementsPerTile - 1) / params.maxElementsPerTile);
  plan->column_parts = std::max<std::size_t>(1, std::min(others, tiles / plan->row_parts));
  return createSliceableTensor(graph, type, operandShape, {axis}, {1}, SlicePlan(std::move(plan)), {}, debugContext);
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, unsigned axis, Sequence& prog, GatherParams,
              const poplar::DebugContext& debugContext, const OptionFlags& optionFlags) {
  check_dims("gather", input.getDebugStr(), input.shape(), {axis}, {0});
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(input, indices, axis, optionFlags));
  const Tensor slices =
      multiSlice(graph, input, indices.flatten().expand({1}), {axis}, {1}, prog, SlicePlan(), optionFlags, {info});
  const Tensor out = slices.squeeze({axis + 1}).dimRoll(0, axis);
  info.addOutput(out);
  return out;
}

Tensor createGatherInput(Graph& graph, const poplar::Type& type, const Shape& inputShape, const Shape& sliceSizes,
                         std::vector<unsigned> startIndexMap, const poplar::DebugContext& debugContext) {
  Shape dims, sizes;
  for (const unsigned d : startIndexMap) {
    dims.push_back(d);
    sizes.push_back(d < sliceSizes.size() ? sliceSizes[d] : 0);
  }
  return createSliceableTensor(graph, type, inputShape, dims, sizes, 0, debugContext);
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, std::size_t indexVectorDim,
              const Shape& offsetDims, const Shape& sliceSizes, const Shape& collapsedSliceDims,
              const std::vector<unsigned>& startIndexMap, Sequence& prog, const poplar::DebugContext& debugContext,
              const OptionFlags& optionFlags) {
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(input, indices, indexVectorDim, offsetDims, sliceSizes,
                                                         collapsedSliceDims, startIndexMap, optionFlags));
  const OffsetOptions options = parse_offset_options(optionFlags);
  if (options.padding) throw poputil::poplibs_error("gather: index vectors have no padding index (paddingIndexUsed)");
  IndexVectors vectors("gather", graph, input, indices, indexVectorDim, sliceSizes, startIndexMap, Beyond::Clamp);
  for (const std::size_t d : collapsedSliceDims) {
    if (d >= sliceSizes.size() || sliceSizes[d] != 1)
      fail("gather", input, "dimension " + std::to_string(d) + " of its slices is not of size 1, to be collapsed");
  }
  const std::size_t batch = vectors.batch().size();
  const std::size_t rank = batch + offsetDims.size();
  if (offsetDims.size() + collapsedSliceDims.size() != sliceSizes.size() ||
      std::any_of(offsetDims.begin(), offsetDims.end(), [&](std::size_t d) { return d >= rank; }))
    fail("gather", input, "the dimensions of its slices are not offsetDims and collapsedSliceDims together");
  Tensor found = found_slices(graph, vectors, options, prog, {info});
  std::vector<std::size_t> collapsed;
  for (const std::size_t d : collapsedSliceDims) collapsed.push_back(batch + d);
  found = found.squeeze(collapsed);
  std::vector<unsigned> order;
  unsigned next_batch = 0, next_offset = static_cast<unsigned>(batch);
  for (std::size_t d = 0; d < rank; ++d) order.push_back(has(offsetDims, d) ? next_offset++ : next_batch++);
  const Tensor out = found.dimShuffle(order);
  info.addOutput(out);
  return out;
}

}  // namespace popops
