// Tensors that lie well for slices.
#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/DynamicSlice.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/slice_plan.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using Shape = std::vector<std::size_t>;
using poplar::Tensor;
using poplar::Type;

namespace {

std::size_t elements_in(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
}

// t has dimensions of `shape` in another order: order[i] is which one dimension i of t is.
Tensor in_place_order(const Tensor& t, const std::vector<unsigned>& order) {
  std::vector<unsigned> back(order.size());
  for (unsigned i = 0; i < order.size(); ++i) back[order[i]] = i;
  return t.dimShuffle(back);
}

// The dimensions of dims first, in their order.
std::vector<unsigned> sliced_first(std::size_t rank, const Shape& dims) {
  std::vector<unsigned> order(dims.begin(), dims.end());
  for (unsigned d = 0; d < rank; ++d) {
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(d);
  }
  return order;
}

Shape shuffled(const Shape& shape, const std::vector<unsigned>& order) {
  Shape out;
  for (const unsigned d : order) out.push_back(shape[d]);
  return out;
}

Shape slice_shape(Shape shape, const Shape& dims, const Shape& sizes) {
  for (std::size_t i = 0; i < dims.size(); ++i) shape[dims[i]] = sizes[i];
  return shape;
}

// The first slice of t.
Tensor first_slice(Tensor t, const Shape& dims, const Shape& sizes) {
  for (std::size_t i = 0; i < dims.size(); ++i) t = t.slice(0, sizes[i], static_cast<unsigned>(dims[i]));
  return t;
}

// What slices are taken with later does not change where a tensor lies: the options are checked, that is all.
void check_options(const OptionFlags& options) { parse_offset_options(options); }

// A plan's tables are of rows: one dimension sliced by size 1.
void check_planned(const char* function, const SlicePlan& plan, std::size_t groups, const Shape& shape,
                   const Shape& dims, const Shape& sizes) {
  check_dims(function, "shape", shape, dims, sizes);
  if (!plan.getImpl().planned) return;
  if (dims.size() != 1 || sizes[0] != 1)
    throw poputil::poplibs_error(std::string(function) + ": a plan is for slices of size 1 in one dimension");
  const std::size_t rows = shape[dims[0]];
  check_plan(plan, function, groups, rows, rows == 0 ? 0 : elements_in(shape) / rows);
}

// [n, shape of a slice], each mapped as `one` is.
Tensor repeated(Graph& graph, const Tensor& one, std::size_t n, const DebugContext& debugContext) {
  Shape shape = one.shape();
  shape.insert(shape.begin(), n);
  const Tensor out = graph.addVariable(one.elementType(), shape, debugContext);
  const auto mapping = graph.getTileMapping(one);
  const Tensor flat = out.reshape({n, one.numElements()});
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const poplar::Interval& region : mapping[tile]) graph.setTileMapping(flat.slice(region, 1), tile);
  }
  return out;
}

Tensor planned_table(Graph& graph, const Type& type, const Shape& shape, const Shape& dims, const SlicePlan& plan,
                     std::size_t group, const DebugContext& debugContext) {
  const auto order = sliced_first(shape.size(), dims);
  const Tensor out = graph.addVariable(type, shuffled(shape, order), debugContext);
  const std::size_t rows = shape[dims[0]];
  map_planned(graph, out.reshape({rows, out.numElements() / rows}), plan.getImpl(), group);
  return in_place_order(out, order);
}

// [numIndices, slice...]: a table of as many rows, spread as the plan's.
Tensor planned_slices(Graph& graph, const Type& type, const Shape& shape, std::size_t numIndices, const SlicePlan& plan,
                      std::size_t group, const DebugContext& debugContext) {
  Shape with_indices = shape;
  with_indices.insert(with_indices.begin(), numIndices);
  const Tensor out = graph.addVariable(type, with_indices, debugContext);
  map_planned(graph, out.reshape({numIndices, elements_in(shape)}), plan.getImpl(), group);
  return out;
}

template <class Make>
Tensor for_groups(std::size_t groups, Make make) {
  std::vector<Tensor> out;
  for (std::size_t g = 0; g < groups; ++g) out.push_back(make(g).expand({0}));
  if (out.empty()) throw poputil::poplibs_error("a table of no groups");
  return concat(out);
}

}  // namespace

Tensor createSliceableTensor(Graph& graph, const Type& type, const Shape& shape, const Shape& dims, const Shape& sizes,
                             std::size_t minGrainSize, const DebugContext& debugContext) {
  check_dims("createSliceableTensor", "shape", shape, dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(type, shape, dims, sizes, minGrainSize));
  // A dimension that is not sliced, or whole, can be spread.
  Shape chosen;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (sizes[i] != shape[dims[i]]) chosen.push_back(dims[i]);
  }
  const auto order = sliced_first(shape.size(), chosen);
  const Tensor t = graph.addVariable(type, shuffled(shape, order), {info});
  std::size_t rows = 1;
  for (const std::size_t d : chosen) rows *= shape[d];
  const std::size_t grain =
      minGrainSize != 0 ? minGrainSize : std::max<std::size_t>(1, 8 / graph.getTarget().getTypeSize(type));
  if (t.numElements() != 0) {
    // The mapping of one row is that of all.
    const Tensor all = t.reshape({rows, t.numElements() / rows});
    poputil::mapTensorLinearly(graph, all[0], static_cast<unsigned>(grain), static_cast<unsigned>(grain));
    const auto mapping = graph.getTileMapping(all[0]);
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const poplar::Interval& region : mapping[tile]) graph.setTileMapping(all.slice(region, 1), tile);
    }
  }
  return in_place_order(t, order);
}

Tensor createSliceableTensor(Graph& graph, const Type& type, const Shape& shape, const Shape& dims, const Shape& sizes,
                             const SlicePlan& plan, const OptionFlags& options, const DebugContext& debugContext) {
  check_options(options);
  check_planned("createSliceableTensor", plan, 1, shape, dims, sizes);
  if (!plan.getImpl().planned) return createSliceableTensor(graph, type, shape, dims, sizes, 0, debugContext);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(type, shape, dims, sizes, plan, options));
  return planned_table(graph, type, shape, dims, plan, 0, {info});
}

Tensor createGroupedSliceableTensor(Graph& graph, const Type& type, std::size_t groupSize, const Shape& shape,
                                    const Shape& dims, const Shape& sizes, const SlicePlan& plan,
                                    const OptionFlags& options, const DebugContext& debugContext) {
  check_options(options);
  check_planned("createGroupedSliceableTensor", plan, groupSize, shape, dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(type, groupSize, shape, dims, sizes, plan, options));
  return for_groups(groupSize, [&](std::size_t g) {
    if (!plan.getImpl().planned) return createSliceableTensor(graph, type, shape, dims, sizes, 0, {info});
    return planned_table(graph, type, shape, dims, plan, g, {info});
  });
}

Tensor createSliceableTensorFromSlice(Graph& graph, const Tensor& s, const Shape& dims, const Shape& numSlices,
                                      const DebugContext& debugContext) {
  check_dims("createSliceableTensorFromSlice", s.getDebugStr(), {}, dims, numSlices, s.rank());
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(s, dims, numSlices));
  // [numSlices..., s...], then each number beside its dimension.
  const std::size_t n = dims.size();
  Shape shape = numSlices;
  const Shape of_slice = s.shape();
  shape.insert(shape.end(), of_slice.begin(), of_slice.end());
  const Tensor all = repeated(graph, s, elements_in(numSlices), {info}).reshape(shape);
  std::vector<unsigned> order;
  Shape result = of_slice;
  for (unsigned d = 0; d < s.rank(); ++d) {
    const auto at = std::find(dims.begin(), dims.end(), d);
    if (at != dims.end()) {
      order.push_back(static_cast<unsigned>(at - dims.begin()));
      result[d] *= numSlices[static_cast<std::size_t>(at - dims.begin())];
    }
    order.push_back(static_cast<unsigned>(n + d));
  }
  return all.dimShuffle(order).reshape(result);
}

Tensor createSliceTensor(Graph& graph, const Tensor& t, const Shape& dims, const Shape& sizes, std::size_t numIndices,
                         const DebugContext& debugContext) {
  check_dims("createSliceTensor", t.getDebugStr(), t.shape(), dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, dims, sizes, numIndices));
  return repeated(graph, first_slice(t, dims, sizes), numIndices, {info});
}

Tensor createSliceTensor(Graph& graph, const Type& type, const Shape& shape, const Shape& dims, const Shape& sizes,
                         std::size_t numIndices, const SlicePlan& plan, const OptionFlags& options,
                         const DebugContext& debugContext) {
  check_options(options);
  check_planned("createSliceTensor", plan, 1, shape, dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(type, shape, dims, sizes, numIndices, plan, options));
  if (plan.getImpl().planned)
    return planned_slices(graph, type, slice_shape(shape, dims, sizes), numIndices, plan, 0, {info});
  Shape with_indices = slice_shape(shape, dims, sizes);
  with_indices.insert(with_indices.begin(), numIndices);
  const Tensor out = graph.addVariable(type, with_indices, {info});
  poputil::mapTensorLinearly(graph, out);
  return out;
}

Tensor createGroupedSliceTensor(Graph& graph, const Type& type, std::size_t groupSize, const Shape& shape,
                                const Shape& dims, const Shape& sizes, std::size_t numIndices, const SlicePlan& plan,
                                const OptionFlags& options, const DebugContext& debugContext) {
  check_options(options);
  check_planned("createGroupedSliceTensor", plan, groupSize, shape, dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext,
                                         DI_ARGS(type, groupSize, shape, dims, sizes, numIndices, plan, options));
  return for_groups(groupSize, [&](std::size_t g) {
    if (!plan.getImpl().planned)
      return createSliceTensor(graph, type, shape, dims, sizes, numIndices, plan, {}, {info});
    return planned_slices(graph, type, slice_shape(shape, dims, sizes), numIndices, plan, g, {info});
  });
}

Tensor createIndicesTensor(Graph& graph, const Shape& dims, std::size_t numIndices, const SlicePlan& plan,
                           const OptionFlags& options, const DebugContext& debugContext) {
  check_options(options);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(dims, numIndices, plan, options));
  const Tensor out = graph.addVariable(poplar::UNSIGNED_INT, {numIndices, dims.size()}, {info});
  // Every tile gets all of them, which takes some cycles for each tile that they come from.
  constexpr std::size_t kLeast = 64;
  const std::size_t grain = std::max<std::size_t>(1, dims.size());
  poputil::mapTensorLinearly(graph, out, static_cast<unsigned>(kLeast * grain), static_cast<unsigned>(grain));
  return out;
}

Tensor createGroupedIndicesTensor(Graph& graph, std::size_t groupSize, const Shape& dims, std::size_t numIndices,
                                  const SlicePlan& plan, const OptionFlags& options, const DebugContext& debugContext) {
  if (plan.getImpl().planned && plan.getImpl().groups != groupSize)
    throw poputil::poplibs_error("createGroupedIndicesTensor: the plan is for " +
                                 std::to_string(plan.getImpl().groups) + " groups, not " + std::to_string(groupSize));
  const Tensor out = createIndicesTensor(graph, dims, groupSize * numIndices, plan, options, debugContext);
  return out.reshape({groupSize, numIndices, dims.size()});
}

}  // namespace popops
