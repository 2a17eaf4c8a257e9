// One slice, of several dimensions: one dimension after the other.
#include <algorithm>
#include <numeric>

#include <popops/DynamicSlice.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/slice_checks.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

void check(const char* function, const Graph& graph, const Tensor& t, const Tensor& offset, const Shape& dims,
           const Shape& sizes) {
  check_dims(function, t.getDebugStr(), t.shape(), dims, sizes);
  check_offsets(function, offset);
  const bool one = offset.rank() == 1 || (offset.rank() == 2 && offset.dim(1) == 1);
  const bool each_tile = offset.rank() == 2 && offset.dim(1) == graph.getTarget().getNumTiles();
  if ((!one && !each_tile) || offset.dim(0) != dims.size())
    throw poputil::poplibs_error(std::string(function) + ": the offset '" + offset.getDebugStr() + "' of shape " +
                                 offset.shapeToString() + " for " + std::to_string(dims.size()) + " dimensions");
}

// The dimension whose slice leaves the least first.
std::vector<std::size_t> order_of(const Tensor& t, const Shape& dims, const Shape& sizes) {
  std::vector<std::size_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sizes[a] * t.dim(static_cast<unsigned>(dims[b])) < sizes[b] * t.dim(static_cast<unsigned>(dims[a]));
  });
  return order;
}

// A slice of t as rows [dimension, others], and back.
Tensor rows_of(const Tensor& s, std::size_t dim) { return matrix_along(s, dim).transpose(); }
Tensor from_rows(const Tensor& rows, Shape shape, std::size_t dim) {
  const std::size_t size = shape[dim];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  shape.insert(shape.begin(), size);
  return rows.reshape(shape).dimRoll(0, static_cast<unsigned>(dim));
}

Rows rows_at(const Tensor& offset, std::size_t which, std::size_t size, const OffsetOptions& options) {
  const Tensor one = offset.slice(which, which + 1);
  return {one.numElements() == 1 ? one.flatten() : one, size, options};
}

// out: not valid for a new one.
Tensor slice_dimension(Graph& graph, const Tensor& t, std::size_t dim, const Rows& rows, const Tensor& out,
                       Sequence& prog, const DebugContext& debugContext) {
  Shape shape = t.shape();
  shape[dim] = rows.size;
  SliceStages stages{graph.addComputeSet({debugContext, "slice"}), {}};
  Tensor result =
      slice_rows(graph, matrix_along(t, dim), rows, out.valid() ? rows_of(out, dim) : Tensor(), stages, debugContext);
  prog.add(Execute(stages.rows, debugContext));
  for (const poplar::ComputeSet join : stages.joins) prog.add(Execute(join, debugContext));
  return from_rows(result, shape, dim);
}

// out: not valid for a new one.
Tensor sliced(Graph& graph, Tensor t, const Tensor& offset, const Shape& dims, const Shape& sizes, const Tensor& out,
              Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  const OffsetOptions how = parse_offset_options(options);
  const auto order = order_of(t, dims, sizes);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t which = order[i];
    const bool last = i + 1 == order.size();
    t = slice_dimension(graph, t, dims[which], rows_at(offset, which, sizes[which], how), last ? out : Tensor(), prog,
                        debugContext);
  }
  if (!order.empty()) return t;
  if (!out.valid()) return poputil::duplicate(graph, t, prog, debugContext);
  prog.add(Copy(t, out, false, debugContext));
  return out;
}

void update(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offset, const Shape& dims, const Shape& sizes,
            const std::vector<std::size_t>& order, std::size_t done, Sequence& prog, const DebugContext& debugContext,
            const OffsetOptions& how) {
  const std::size_t which = order[done];
  const Rows rows = rows_at(offset, which, sizes[which], how);
  Tensor slice = s;
  const bool last = done + 1 == order.size();
  if (!last) {
    slice = slice_dimension(graph, t, dims[which], rows, Tensor(), prog, debugContext);
    update(graph, slice, s, offset, dims, sizes, order, done + 1, prog, debugContext, how);
  }
  const poplar::ComputeSet cs = graph.addComputeSet({debugContext, "update"});
  update_rows(graph, matrix_along(t, dims[which]), rows_of(slice, dims[which]), rows, UpdateOp::Replace, Tensor(), cs);
  prog.add(Execute(cs, debugContext));
}

Shape slice_shape(const Tensor& t, const Shape& dims, const Shape& sizes) {
  Shape shape = t.shape();
  for (std::size_t i = 0; i < dims.size(); ++i) shape[dims[i]] = sizes[i];
  return shape;
}

void check_slice(const char* function, const Tensor& t, const Tensor& s, const Shape& dims, const Shape& sizes) {
  if (s.shape() != slice_shape(t, dims, sizes) || s.elementType() != t.elementType())
    throw poputil::poplibs_error(std::string(function) + ": '" + s.getDebugStr() + "' of shape " + s.shapeToString() +
                                 " is not a slice of '" + t.getDebugStr() + "' of shape " + t.shapeToString());
}

}  // namespace

Tensor dynamicSlice(Graph& graph, const Tensor& t, const Tensor& offset, const Shape& dims, const Shape& sizes,
                    Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  check("dynamicSlice", graph, t, offset, dims, sizes);
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, offset, dims, sizes, options));
  const Tensor out = sliced(graph, t, offset, dims, sizes, Tensor(), prog, {info}, options);
  info.addOutput(out);
  return out;
}

void dynamicSliceWithOutput(Graph& graph, const Tensor& output, const Tensor& t, const Tensor& offset,
                            const Shape& dims, const Shape& sizes, Sequence& prog, const DebugContext& debugContext,
                            const OptionFlags& options) {
  check("dynamicSliceWithOutput", graph, t, offset, dims, sizes);
  check_slice("dynamicSliceWithOutput", t, output, dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(output, t, offset, dims, sizes, options));
  sliced(graph, t, offset, dims, sizes, output, prog, {info}, options);
}

Tensor createDynamicSliceOutput(Graph& graph, const Tensor& t, const Tensor& offset, const Shape& dims,
                                const Shape& sizes, const DebugContext& debugContext, const OptionFlags& options) {
  check("createDynamicSliceOutput", graph, t, offset, dims, sizes);
  parse_offset_options(options);
  return createSliceTensor(graph, t, dims, sizes, 1, debugContext)[0];
}

Graph::TileToTensorMapping getSliceMapping(Graph& graph, const Tensor& t, const Shape& dims, const Shape& sizes) {
  check_dims("getSliceMapping", t.getDebugStr(), t.shape(), dims, sizes);
  Tensor slice = t;
  for (std::size_t i = 0; i < dims.size(); ++i) slice = slice.slice(0, sizes[i], static_cast<unsigned>(dims[i]));
  return graph.getTileMapping(slice);
}

void dynamicUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offset, const Shape& dims,
                   const Shape& sizes, Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  check("dynamicUpdate", graph, t, offset, dims, sizes);
  check_slice("dynamicUpdate", t, s, dims, sizes);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offset, dims, sizes, options));
  const OffsetOptions how = parse_offset_options(options);
  if (dims.empty()) {
    prog.add(Copy(s, t, false, {info}));
    return;
  }
  update(graph, t, s, offset, dims, sizes, order_of(t, dims, sizes), 0, prog, {info}, how);
}

}  // namespace popops
