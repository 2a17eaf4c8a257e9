// Many slices of a tensor.
#include <popops/DynamicSlice.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/slice_plan.h"
#include "sw/libs/popops/slice_windows.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Execute;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

// What is done with slices of a table.
struct Request {
  std::string function;
  const Shape& dims;
  const Shape& sizes;
  const SlicePlan& plan;
  OffsetOptions options;

  SliceWindows windows() const { return {dims, sizes}; }
};

// t and offsets: of one group. groups: how many there are.
void check(const Request& request, const Tensor& t, const Tensor& offsets, std::size_t groups) {
  check_dims(request.function, t.getDebugStr(), t.shape(), request.dims, request.sizes);
  if (request.dims.empty())
    throw poputil::poplibs_error(request.function + ": no dimension of '" + t.getDebugStr() + "' is named");
  for (std::size_t k = 0; k < request.dims.size(); ++k) {
    if (request.sizes[k] == 0)
      throw poputil::poplibs_error(request.function + ": a slice of 0 of dimension " + std::to_string(request.dims[k]) +
                                   " of '" + t.getDebugStr() + "'");
  }
  check_offsets(request.function, offsets);
  if (offsets.rank() != 2 || offsets.dim(1) != request.dims.size())
    throw poputil::poplibs_error(request.function + ": the offsets '" + offsets.getDebugStr() + "' of shape " +
                                 offsets.shapeToString() + " are not [n, " + std::to_string(request.dims.size()) + "]");
  std::size_t rows = 1;
  for (const std::size_t d : request.dims) rows *= t.dim(static_cast<unsigned>(d));
  check_plan(request.plan, request.function.c_str(), groups, rows, rows == 0 ? 0 : t.numElements() / rows);
}

void check_groups(const std::string& function, const Tensor& t, const Tensor& other) {
  if (t.rank() < 2 || other.rank() == 0 || other.dim(0) != t.dim(0) || t.dim(0) == 0)
    throw poputil::poplibs_error(function + ": '" + t.getDebugStr() + "' of shape " + t.shapeToString() + " and '" +
                                 other.getDebugStr() + "' of shape " + other.shapeToString() +
                                 " do not have the same groups");
}

// The first dimension of t is the groups.
Tensor read(Graph& graph, const Tensor& t, const Tensor& offsets, const Request& request, Sequence& prog,
            const DebugContext& debugContext) {
  check_groups(request.function, t, offsets);
  if (!request.plan.getImpl().for_slice)
    throw poputil::poplibs_error(request.function + ": the plan is not for slices (usedForSlice)");
  const SliceWindows windows = request.windows();
  SliceStages stages{graph.addComputeSet({debugContext, "slice"}), {}};
  std::vector<Tensor> out;
  for (std::size_t g = 0; g < t.dim(0); ++g) {
    check(request, t[g], offsets[g], t.dim(0));
    const Rows rows = rows_at(graph, t[g], offsets[g], windows, request.options, prog, debugContext);
    const Tensor slices = slice_rows(graph, table_of(t[g], windows), rows, Tensor(), stages, debugContext);
    out.push_back(slices_of(slices, t[g], windows).expand({0}));
  }
  prog.add(Execute(stages.rows, debugContext));
  for (const poplar::ComputeSet join : stages.joins) prog.add(Execute(join, debugContext));
  return concat(out);
}

void check_scale(const Request& request, const Tensor& t, const Tensor& scale) {
  const bool fits = scale.elementType() == t.elementType() ||
                    (t.elementType() == poplar::HALF && scale.elementType() == poplar::FLOAT);
  if (!fits || scale.numElements() != 1)
    throw poputil::poplibs_error(request.function + ": the scale '" + scale.getDebugStr() + "' of type " +
                                 text_of(scale.elementType()) + " and shape " + scale.shapeToString() + " for '" +
                                 t.getDebugStr() + "' of type " + text_of(t.elementType()));
}

void write(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Request& request, UpdateOp op,
           const Tensor& scale, Sequence& prog, const DebugContext& debugContext) {
  check_groups(request.function, t, offsets);
  check_groups(request.function, t, s);
  if (!request.plan.getImpl().for_update)
    throw poputil::poplibs_error(request.function + ": the plan is not for updates (usedForUpdate)");
  if (op == UpdateOp::Add) check_scale(request, t, scale);
  if (op != UpdateOp::Replace && t.elementType() == poplar::BOOL)
    throw poputil::poplibs_error(request.function + ": '" + t.getDebugStr() + "' is of type bool");
  const SliceWindows windows = request.windows();
  const poplar::ComputeSet cs = graph.addComputeSet({debugContext, "update"});
  for (std::size_t g = 0; g < t.dim(0); ++g) {
    check(request, t[g], offsets[g], t.dim(0));
    Shape shape = t[g].shape();
    for (std::size_t k = 0; k < request.dims.size(); ++k) shape[request.dims[k]] = request.sizes[k];
    shape.insert(shape.begin(), offsets.dim(1));
    if (s[g].shape() != shape || s.elementType() != t.elementType())
      throw poputil::poplibs_error(request.function + ": '" + s.getDebugStr() + "' of shape " + s[g].shapeToString() +
                                   " are not " + std::to_string(offsets.dim(1)) + " slices of '" + t.getDebugStr() +
                                   "' of shape " + t[g].shapeToString());
    const Rows rows = rows_at(graph, t[g], offsets[g], windows, request.options, prog, debugContext);
    update_rows(graph, table_of(t[g], windows), rows_of(s[g], windows), rows, op, scale, cs);
  }
  prog.add(Execute(cs, debugContext));
}

}  // namespace

Tensor multiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims, const Shape& sizes,
                  Sequence& prog, const SlicePlan& plan, const OptionFlags& options, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, offsets, dims, sizes, plan, options));
  const Request request{"multiSlice", dims, sizes, plan, parse_offset_options(options)};
  const Tensor out = read(graph, t.expand({0}), offsets.expand({0}), request, prog, {info})[0];
  info.addOutput(out);
  return out;
}

Tensor groupedMultiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Shape& dims, const Shape& sizes,
                         Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                         const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, offsets, dims, sizes, plan, options));
  const Request request{"groupedMultiSlice", dims, sizes, plan, parse_offset_options(options)};
  const Tensor out = read(graph, t, offsets, request, prog, {info});
  info.addOutput(out);
  return out;
}

Tensor multiSlice(Graph& graph, const Tensor& t, poplar::ArrayRef<unsigned> offsets, std::size_t dim, Sequence& prog,
                  const DebugContext& debugContext, const OptionFlags& optionFlags) {
  const OffsetOptions how = parse_offset_options(optionFlags);
  check_dims("multiSlice", t.getDebugStr(), t.shape(), {dim}, {0});
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, dim));
  const std::size_t size = t.dim(static_cast<unsigned>(dim));
  std::vector<Tensor> slices;
  Tensor zeros;
  for (std::size_t offset : offsets) {
    if (how.remap && offset >= size + (how.padding ? 1 : 0)) offset = 0;
    if (offset < size) {
      slices.push_back(t.slice(offset, offset + 1, static_cast<unsigned>(dim)).expand({0}));
      continue;
    }
    if (!zeros.valid()) {
      Shape shape = t.shape();
      shape[dim] = 1;
      shape.insert(shape.begin(), 1);
      zeros = graph.addConstant(t.elementType(), shape, 0, {info, "zeros"});
      graph.setTileMapping(zeros, 0);
    }
    slices.push_back(zeros);
  }
  if (slices.empty()) throw poputil::poplibs_error("multiSlice: no offsets for '" + t.getDebugStr() + "'");
  const Tensor out = poputil::duplicate(graph, concat(slices), prog, {info});
  info.addOutput(out);
  return out;
}

void multiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Shape& dims,
                 const Shape& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                 const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, dims, sizes, plan, options));
  const Request request{"multiUpdate", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t.expand({0}), s.expand({0}), offsets.expand({0}), request, UpdateOp::Replace, Tensor(), prog, {info});
}
void groupedMultiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Shape& dims,
                        const Shape& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                        const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, dims, sizes, plan, options));
  const Request request{"groupedMultiUpdate", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t, s, offsets, request, UpdateOp::Replace, Tensor(), prog, {info});
}

void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Tensor& scale,
                    const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan& plan,
                    const OptionFlags& options, const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, scale, dims, sizes, plan, options));
  const Request request{"multiUpdateAdd", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t.expand({0}), s.expand({0}), offsets.expand({0}), request, UpdateOp::Add, scale, prog, {info});
}
void groupedMultiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Tensor& scale,
                           const Shape& dims, const Shape& sizes, Sequence& prog, const SlicePlan& plan,
                           const OptionFlags& options, const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, scale, dims, sizes, plan, options));
  const Request request{"groupedMultiUpdateAdd", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t, s, offsets, request, UpdateOp::Add, scale, prog, {info});
}
void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, poplar::ArrayRef<unsigned> offsets,
                    const Tensor& scale, std::size_t dim, Sequence& prog, const DebugContext& debugContext,
                    const OptionFlags& optionFlags) {
  const std::vector<unsigned> values(offsets.begin(), offsets.end());
  if (values.empty()) throw poputil::poplibs_error("multiUpdateAdd: no offsets for '" + t.getDebugStr() + "'");
  const Tensor constant =
      graph.addConstant<unsigned>(poplar::UNSIGNED_INT, {values.size(), 1}, values, {debugContext, "offsets"});
  graph.setTileMapping(constant, 0);
  multiUpdateAdd(graph, t, s, constant, scale, {dim}, {1}, prog, SlicePlan(), optionFlags, debugContext);
}

void multiUpdateMax(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Shape& dims,
                    const Shape& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                    const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, dims, sizes, plan, options));
  const Request request{"multiUpdateMax", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t.expand({0}), s.expand({0}), offsets.expand({0}), request, UpdateOp::Max, Tensor(), prog, {info});
}
void groupedMultiUpdateMax(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Shape& dims,
                           const Shape& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                           const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, dims, sizes, plan, options));
  const Request request{"groupedMultiUpdateMax", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t, s, offsets, request, UpdateOp::Max, Tensor(), prog, {info});
}
void multiUpdateMul(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Shape& dims,
                    const Shape& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                    const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, dims, sizes, plan, options));
  const Request request{"multiUpdateMul", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t.expand({0}), s.expand({0}), offsets.expand({0}), request, UpdateOp::Mul, Tensor(), prog, {info});
}
void groupedMultiUpdateMul(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets, const Shape& dims,
                           const Shape& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags& options,
                           const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, s, offsets, dims, sizes, plan, options));
  const Request request{"groupedMultiUpdateMul", dims, sizes, plan, parse_offset_options(options)};
  write(graph, t, s, offsets, request, UpdateOp::Mul, Tensor(), prog, {info});
}

}  // namespace popops
