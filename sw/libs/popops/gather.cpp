#include <popops/Gather.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/slice_plan.h"

namespace popops {

using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

[[noreturn]] void fail(const std::string& function, const Tensor& t, const std::string& why) {
  throw poputil::poplibs_error(function + ": '" + t.getDebugStr() + "' of shape " + t.shapeToString() + ": " + why);
}

bool has(const Shape& list, std::size_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

// An index vector's element that counts: dimension `dim` of the input.
struct Index {
  std::size_t element;  // of the vectors
  std::size_t dim;
  std::size_t window;  // of the slice there
};

// XLA's gather, its arguments checked.
class VectorGather {
 public:
  VectorGather(Graph& graph, const Tensor& input, const Tensor& indices, std::size_t vector_dim,
               const Shape& slice_sizes, const std::vector<unsigned>& index_map)
      : graph_(graph), sizes_(slice_sizes) {
    if (slice_sizes.size() != input.rank()) fail("gather", input, std::to_string(slice_sizes.size()) + " slice sizes");
    check_offsets("gather", indices);
    if (vector_dim > indices.rank())
      fail("gather", indices, "it has no dimension " + std::to_string(vector_dim) + " for index vectors");
    vectors_ = vector_dim == indices.rank() ? indices.expand({indices.rank()})
                                            : indices.dimRoll(static_cast<unsigned>(vector_dim), indices.rank() - 1);
    if (vectors_.dim(vectors_.rank() - 1) != index_map.size())
      fail("gather", indices, "its index vectors are not of " + std::to_string(index_map.size()) + " elements");
    batch_ = vectors_.shape();
    batch_.pop_back();
    const Shape dims(index_map.begin(), index_map.end());
    check_dims("gather", input.getDebugStr(), input.shape(), dims, sizes_of(dims));
    check_dims("gather", input.getDebugStr(), input.shape(), all_dims(input), slice_sizes);
    source_ = input;
    for (std::size_t d = 0; d < input.rank(); ++d) {
      const auto at = std::find(dims.begin(), dims.end(), d);
      // A slice of the whole dimension fits at 0 alone.
      if (at != dims.end() && sizes_[d] != input.dim(static_cast<unsigned>(d)))
        chosen_.push_back({static_cast<std::size_t>(at - dims.begin()), d, sizes_[d]});
      else
        source_ = source_.slice(0, sizes_[d], static_cast<unsigned>(d));
    }
  }

  // [batch..., slice...]
  Tensor run(const OffsetOptions& options, Sequence& prog, const poplar::DebugContext& context) {
    Shape shape = batch_;
    shape.insert(shape.end(), sizes_.begin(), sizes_.end());
    if (chosen_.empty()) {
      Tensor all = source_.expand({0}).broadcast(static_cast<unsigned>(number()), 0);
      return all.reshape(shape);
    }
    // The indexed dimensions as one, first.
    std::vector<unsigned> order;
    for (const Index& index : chosen_) order.push_back(static_cast<unsigned>(index.dim));
    for (unsigned d = 0; d < source_.rank(); ++d) {
      if (std::find(order.begin(), order.end(), d) == order.end()) order.push_back(d);
    }
    std::size_t rows = 1;
    for (const Index& index : chosen_) rows *= source_.dim(static_cast<unsigned>(index.dim));
    const Tensor table = source_.dimShuffle(order).reshape({rows, source_.numElements() / rows});
    const bool one = chosen_.size() == 1;
    const Tensor offsets = one ? clamped(chosen_[0], options, prog, context) : row_numbers(options, prog, context);
    const std::size_t size = one ? chosen_[0].window : 1;
    const Tensor slices =
        multiSlice(graph_, table, offsets.flatten().expand({1}), {0}, {size}, prog, SlicePlan(), {}, context);
    // [n, windows of the indexed dimensions..., others...], then the dimensions as the input has them.
    Shape found = {number()};
    for (const unsigned d : order) found.push_back(sizes_[d]);
    std::vector<unsigned> back(order.size() + 1);
    for (unsigned i = 0; i < order.size(); ++i) back[order[i] + 1] = i + 1;
    return slices.reshape(found).dimShuffle(back).reshape(shape);
  }

  std::size_t batch_rank() const { return batch_.size(); }

 private:
  Shape sizes_of(const Shape& dims) const {
    Shape out;
    for (const std::size_t d : dims) out.push_back(d < sizes_.size() ? sizes_[d] : 0);
    return out;
  }
  static Shape all_dims(const Tensor& t) {
    Shape out(t.rank());
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  std::size_t number() const {
    return std::accumulate(batch_.begin(), batch_.end(), std::size_t{1}, std::multiplies<std::size_t>());
  }

  // [n]: of all vectors, as numbers at which the slice fits.
  Tensor clamped(const Index& index, const OffsetOptions& options, Sequence& prog,
                 const poplar::DebugContext& context) {
    const Tensor all = vectors_.reshape({number(), vectors_.dim(vectors_.rank() - 1)});
    const Tensor values = all.slice(index.element, index.element + 1, 1).flatten();
    const std::size_t last = source_.dim(static_cast<unsigned>(index.dim)) - index.window;
    const bool is_signed = values.elementType() == poplar::INT;
    using namespace expr;
    const Any limit = is_signed ? Any(Const(static_cast<int>(last))) : Any(Const(static_cast<unsigned>(last)));
    const Any zero = is_signed ? Any(Const(0)) : Any(Const(0U));
    Any fits = Min(Max(_1, zero), limit);
    if (options.remap) fits = Any(Select(_1, zero, And(Lte(_1, limit), Gte(_1, zero))));
    return map(graph_, fits, {values}, prog, {context, "index"}).reinterpret(poplar::UNSIGNED_INT);
  }

  // [n, windows]: of the rows of the table that slices consist of.
  Tensor row_numbers(const OffsetOptions& options, Sequence& prog, const poplar::DebugContext& context) {
    Tensor sum;
    std::size_t windows = 1;
    for (const Index& index : chosen_) {
      const Tensor value = clamped(index, options, prog, context);
      const auto size = static_cast<unsigned>(source_.dim(static_cast<unsigned>(index.dim)));
      if (sum.valid())
        sum = map(graph_, expr::_1 * expr::Const(size) + expr::_2, {sum, value}, prog, {context, "row"});
      else
        sum = value;
      windows *= index.window;
    }
    std::vector<unsigned> steps(windows);
    for (std::size_t p = 0; p < windows; ++p) {
      std::size_t rest = p, stride = 1;
      for (std::size_t k = chosen_.size(); k-- > 0;) {
        steps[p] += static_cast<unsigned>(rest % chosen_[k].window * stride);
        rest /= chosen_[k].window;
        stride *= source_.dim(static_cast<unsigned>(chosen_[k].dim));
      }
    }
    if (windows == 1) return sum;
    const Tensor step = graph_.addConstant<unsigned>(poplar::UNSIGNED_INT, {1, windows}, steps, {context, "steps"});
    graph_.setTileMapping(step, 0);
    return add(graph_, sum.expand({1}), step, prog, {context, "rows"});
  }

  Graph& graph_;
  Shape sizes_;
  Tensor vectors_;  // [batch..., elements]
  Shape batch_;
  Tensor source_;  // the input without what no slice reaches
  std::vector<Index> chosen_;
};

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
  VectorGather work(graph, input, indices, indexVectorDim, sliceSizes, startIndexMap);
  for (const std::size_t d : collapsedSliceDims) {
    if (d >= sliceSizes.size() || sliceSizes[d] != 1)
      fail("gather", input, "dimension " + std::to_string(d) + " of its slices is not of size 1, to be collapsed");
  }
  const std::size_t batch = work.batch_rank();
  const std::size_t rank = batch + offsetDims.size();
  if (offsetDims.size() + collapsedSliceDims.size() != sliceSizes.size() ||
      std::any_of(offsetDims.begin(), offsetDims.end(), [&](std::size_t d) { return d >= rank; }))
    fail("gather", input, "the dimensions of its slices are not offsetDims and collapsedSliceDims together");
  Tensor found = work.run(options, prog, {info});
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
