#include "sw/libs/popops/index_vectors.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/ElementWise.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/slice_checks.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

constexpr unsigned kNoRow = ~0U;

}  // namespace

IndexVectors::IndexVectors(const std::string& function, Graph& graph, const Tensor& t, const Tensor& indices,
                           std::size_t vector_dim, const Shape& slice_sizes, const std::vector<unsigned>& index_map,
                           Beyond beyond)
    : graph_(graph), sizes_(slice_sizes), beyond_(beyond) {
  if (slice_sizes.size() != t.rank()) fail(function, t, std::to_string(slice_sizes.size()) + " slice sizes");
  check_offsets(function, indices);
  if (vector_dim > indices.rank())
    fail(function, indices, "it has no dimension " + std::to_string(vector_dim) + " for index vectors");
  vectors_ = vector_dim == indices.rank() ? indices.expand({indices.rank()})
                                          : indices.dimRoll(static_cast<unsigned>(vector_dim), indices.rank() - 1);
  if (vectors_.dim(vectors_.rank() - 1) != index_map.size())
    fail(function, indices, "its index vectors are not of " + std::to_string(index_map.size()) + " elements");
  batch_ = vectors_.shape();
  batch_.pop_back();
  Shape dims(index_map.begin(), index_map.end()), sizes, all(t.rank());
  for (const std::size_t d : dims) sizes.push_back(d < sizes_.size() ? sizes_[d] : 0);
  std::iota(all.begin(), all.end(), 0);
  check_dims(function, t.getDebugStr(), t.shape(), dims, sizes);
  check_dims(function, t.getDebugStr(), t.shape(), all, slice_sizes);
  source_ = t;
  for (std::size_t d = 0; d < t.rank(); ++d) {
    const auto at = std::find(dims.begin(), dims.end(), d);
    // A slice of the whole dimension fits at 0 alone.
    const bool fixed = beyond == Beyond::Clamp && sizes_[d] == t.dim(static_cast<unsigned>(d));
    if (at != dims.end() && !fixed)
      chosen_.push_back({static_cast<std::size_t>(at - dims.begin()), d, sizes_[d]});
    else
      source_ = source_.slice(0, sizes_[d], static_cast<unsigned>(d));
  }
}

std::size_t IndexVectors::number() const {
  return std::accumulate(batch_.begin(), batch_.end(), std::size_t{1}, std::multiplies<std::size_t>());
}

std::vector<unsigned> IndexVectors::order() const {
  std::vector<unsigned> out;
  for (const Index& index : chosen_) out.push_back(static_cast<unsigned>(index.dim));
  for (unsigned d = 0; d < source_.rank(); ++d) {
    if (std::find(out.begin(), out.end(), d) == out.end()) out.push_back(d);
  }
  return out;
}

Tensor IndexVectors::table() const {
  std::size_t rows = 1;
  for (const Index& index : chosen_) rows *= source_.dim(static_cast<unsigned>(index.dim));
  return source_.dimShuffle(order()).reshape({rows, rows == 0 ? 0 : source_.numElements() / rows});
}

// [n]: one index of all vectors.
Tensor IndexVectors::one_index(const Index& index, const OffsetOptions& options, Sequence& prog,
                               const DebugContext& context) {
  const Tensor all = vectors_.reshape({number(), vectors_.dim(vectors_.rank() - 1)});
  const Tensor values = all.slice(index.element, index.element + 1, 1).flatten();
  const std::size_t last = source_.dim(static_cast<unsigned>(index.dim)) - index.window;
  const bool is_signed = values.elementType() == poplar::INT;
  using namespace expr;
  const auto constant = [&](unsigned value) {
    return is_signed ? Any(Const(static_cast<int>(value))) : Any(Const(value));
  };
  const Any limit = constant(static_cast<unsigned>(last)), zero = constant(0);
  Any value = Min(Max(_1, zero), limit);
  if (options.remap || beyond_ == Beyond::Skip)
    value = Any(Select(_1, options.remap ? zero : constant(kNoRow), And(Lte(_1, limit), Gte(_1, zero))));
  return map(graph_, value, {values}, prog, {context, "index"}).reinterpret(poplar::UNSIGNED_INT);
}

Tensor IndexVectors::offsets(const OffsetOptions& options, Sequence& prog, const DebugContext& context) {
  Tensor sum;
  std::size_t windows = 1;
  const expr::Const none(kNoRow);
  for (const Index& index : chosen_) {
    const Tensor value = one_index(index, options, prog, context);
    const auto size = static_cast<unsigned>(source_.dim(static_cast<unsigned>(index.dim)));
    using namespace expr;
    if (sum.valid())
      sum = map(graph_, Select(_1 * Const(size) + _2, none, And(NotEqual(_1, none), NotEqual(_2, none))), {sum, value},
                prog, {context, "row"});
    else
      sum = value;
    windows *= index.window;
  }
  if (windows == size()) return sum;
  std::vector<unsigned> steps(windows);
  for (std::size_t p = 0; p < windows; ++p) {
    std::size_t rest = p, stride = 1;
    for (std::size_t k = chosen_.size(); k-- > 0;) {
      steps[p] += static_cast<unsigned>(rest % chosen_[k].window * stride);
      rest /= chosen_[k].window;
      stride *= source_.dim(static_cast<unsigned>(chosen_[k].dim));
    }
  }
  const Tensor step = graph_.addConstant<unsigned>(poplar::UNSIGNED_INT, {1, windows}, steps, {context, "steps"});
  graph_.setTileMapping(step, 0);
  using namespace expr;
  return map(graph_, Select(_1 + _2, none, NotEqual(_1, none)), {sum.expand({1}), step}, prog, {context, "rows"})
      .flatten();
}

Tensor IndexVectors::to_slices(const Tensor& rows) const {
  // [n, windows of the indexed dimensions..., others...], then the dimensions as t has them.
  const std::vector<unsigned> dims = order();
  Shape found = {number()}, shape = batch_;
  for (const unsigned d : dims) found.push_back(sizes_[d]);
  std::vector<unsigned> back(dims.size() + 1);
  for (unsigned i = 0; i < dims.size(); ++i) back[dims[i] + 1] = i + 1;
  shape.insert(shape.end(), sizes_.begin(), sizes_.end());
  return rows.reshape(found).dimShuffle(back).reshape(shape);
}

Tensor IndexVectors::to_rows(const Tensor& slices) const {
  Shape shape = {number()};
  shape.insert(shape.end(), sizes_.begin(), sizes_.end());
  std::vector<unsigned> dims = {0};
  std::size_t rows = number();
  for (const unsigned d : order()) dims.push_back(d + 1);
  for (const Index& index : chosen_) rows *= index.window;
  rows /= size();
  return slices.reshape(shape).dimShuffle(dims).reshape(
      {rows, size(), rows == 0 ? 0 : slices.numElements() / rows / size()});
}

}  // namespace popops
