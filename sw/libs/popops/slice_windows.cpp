#include "sw/libs/popops/slice_windows.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/ElementWise.hpp>

namespace popops {

using poplar::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

std::size_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
}

// The dimensions of the windows, then the others, all of them `from` later.
std::vector<unsigned> order(std::size_t rank, const SliceWindows& windows, unsigned from) {
  std::vector<unsigned> out;
  for (const std::size_t d : windows.dims) out.push_back(static_cast<unsigned>(d) + from);
  for (unsigned d = from; d < rank + from; ++d) {
    if (std::find(out.begin(), out.end(), d) == out.end()) out.push_back(d);
  }
  return out;
}

// [n, rows of a slice]: where each is in dimension k of the windows; the size of the dimension, if it is nowhere.
Tensor positions(poplar::Graph& graph, const Tensor& t, const Tensor& offsets, const SliceWindows& windows,
                 std::size_t k, const OffsetOptions& options, poplar::program::Sequence& prog,
                 const poplar::DebugContext& context) {
  using namespace expr;
  const std::size_t rows = product(windows.sizes), size = t.dim(static_cast<unsigned>(windows.dims[k]));
  const auto after = windows.sizes.begin() + static_cast<std::ptrdiff_t>(k) + 1;
  const std::size_t stride = product(Shape(after, windows.sizes.end()));
  std::vector<unsigned> steps;
  for (std::size_t row = 0; row < rows; ++row) steps.push_back(static_cast<unsigned>(row / stride % windows.sizes[k]));
  const Tensor step = graph.addConstant<unsigned>(poplar::UNSIGNED_INT, {1, rows}, steps, {context, "steps"});
  graph.setTileMapping(step, 0);
  const Const end(static_cast<unsigned>(size)), zero(0U);
  Any meant(_1);
  if (options.remap) meant = Any(Select(_1, zero, options.padding ? Any(Lte(_1, end)) : Any(Lt(_1, end))));
  return map(graph, Select((meant + _2) % end, end, Lt(meant, end)), {offsets.slice(k, k + 1, 1), step}, prog,
             {context, "positions"});
}

}  // namespace

Tensor table_of(const Tensor& t, const SliceWindows& windows) {
  std::size_t rows = 1;
  for (const std::size_t d : windows.dims) rows *= t.dim(static_cast<unsigned>(d));
  return t.dimShuffle(order(t.rank(), windows, 0)).reshape({rows, rows == 0 ? 0 : t.numElements() / rows}).transpose();
}

Rows rows_at(poplar::Graph& graph, const Tensor& t, const Tensor& offsets, const SliceWindows& windows,
             const OffsetOptions& options, poplar::program::Sequence& prog, const poplar::DebugContext& context) {
  if (windows.dims.size() == 1) return {offsets.flatten(), windows.sizes[0], options};
  using namespace expr;
  const Tensor bits = offsets.reinterpret(poplar::UNSIGNED_INT);
  std::vector<Tensor> at;
  Any row(Const(0U)), there(Const(true));
  std::size_t rows = 1;
  for (std::size_t k = 0; k < windows.dims.size(); ++k) {
    const auto size = static_cast<unsigned>(t.dim(static_cast<unsigned>(windows.dims[k])));
    at.push_back(positions(graph, t, bits, windows, k, options, prog, context));
    const PlaceHolder position(static_cast<unsigned>(k) + 1);
    row = k == 0 ? Any(position) : Any(row * Const(size) + position);
    there = k == 0 ? Any(Lt(position, Const(size))) : Any(And(there, Lt(position, Const(size))));
    rows *= size;
  }
  const Tensor all = map(graph, Select(row, Const(static_cast<unsigned>(rows)), there), at, prog, {context, "rows"});
  return {all.flatten(), 1, {}};
}

Tensor rows_of(const Tensor& slices, const SliceWindows& windows) {
  std::vector<unsigned> dims = order(slices.rank() - 1, windows, 1);
  dims.insert(dims.begin(), 0);
  const std::size_t n = slices.dim(0) * product(windows.sizes);
  return slices.dimShuffle(dims).reshape({n, n == 0 ? 0 : slices.numElements() / n});
}

Tensor slices_of(const Tensor& rows, const Tensor& t, const SliceWindows& windows) {
  Shape slice = t.shape(), shape = {rows.dim(0) / product(windows.sizes)};
  for (std::size_t k = 0; k < windows.dims.size(); ++k) slice[windows.dims[k]] = windows.sizes[k];
  const std::vector<unsigned> dims = order(t.rank(), windows, 0);
  std::vector<unsigned> back(dims.size() + 1);
  for (unsigned i = 0; i < dims.size(); ++i) {
    shape.push_back(slice[dims[i]]);
    back[dims[i] + 1] = i + 1;
  }
  return rows.reshape(shape).dimShuffle(back);
}

}  // namespace popops
