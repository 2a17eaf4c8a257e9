// Checks of what callers give to views, then the view operation itself.
#include <poplar/Tensor.hpp>

#include <algorithm>

#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

using tessera::graph::TensorView;

namespace {

std::string text(ArrayRef<std::size_t> shape) {
  std::string out = "{";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return out + "}";
}

const TensorView& view(const Tensor& t) { return detail::Access::ref(t).view; }

// For messages.
std::string shown(const Tensor& t) { return t.shapeToString() + " (" + t.getVarStr() + ")"; }

// `dim` is multiplied: the result must be a shape that can be.
void check_grown(const Tensor& t, unsigned dim, std::size_t times, const char* operation) {
  std::size_t grown = 0;
  if (!__builtin_mul_overflow(std::max(t.numElements(), t.dim(dim)), times, &grown) &&
      grown <= tessera::graph::kMostElements)
    return;
  throw poplar_error(std::string(operation) + ": dimension " + std::to_string(dim) + " of shape " + t.shapeToString() +
                     " times " + std::to_string(times) + " has more elements than any tensor can have");
}

Tensor with_view(const Tensor& t, TensorView v) {
  const detail::TensorImpl& impl = detail::Access::impl(t);
  return detail::Access::make_tensor(impl.state, impl.ref.type, std::move(v), impl.metadata);
}

void check_dim(const Tensor& t, unsigned dim, const char* operation) {
  if (dim < t.rank()) return;
  throw index_error(std::string(operation) + ": tensor of shape " + shown(t) + " has no dimension " +
                    std::to_string(dim));
}

Tensor reshaped(const Tensor& t, const std::vector<std::size_t>& shape) {
  if (tessera::graph::element_count(shape) != t.numElements()) {
    throw poplar_error("reshape: tensor of shape " + shown(t) + " has not as many elements as shape " + text(shape));
  }
  return with_view(t, view(t).reshape(shape));
}

}  // namespace

namespace detail {

const TensorImpl& Access::impl(const Tensor& t) {
  if (t.impl_ == nullptr) throw poplar_error("Use of an invalid tensor: it was default-constructed or moved from");
  return *t.impl_;
}

Tensor Access::make_tensor(std::shared_ptr<const GraphState> state, tessera::graph::ElementType type, TensorView view,
                           Tensor metadata) {
  auto impl = std::make_shared<TensorImpl>();
  impl->state = std::move(state);
  impl->ref.type = type;
  impl->ref.view = std::move(view);
  impl->metadata = std::move(metadata);
  return Tensor(std::move(impl));
}

}  // namespace detail

Tensor::Tensor() = default;
Tensor::Tensor(std::shared_ptr<const detail::TensorImpl> impl) : impl_(std::move(impl)) {}
Tensor::Tensor(const Tensor&) = default;
Tensor::Tensor(Tensor&&) noexcept = default;
Tensor& Tensor::operator=(const Tensor&) & = default;
Tensor& Tensor::operator=(Tensor&&) & noexcept = default;
Tensor::~Tensor() = default;

Type Tensor::elementType() const { return detail::public_type(detail::Access::ref(*this).type); }
bool Tensor::hasMetadata() const { return detail::Access::impl(*this).metadata.valid(); }
Tensor Tensor::getMetadata() const { return detail::Access::impl(*this).metadata; }
std::size_t Tensor::numElements() const { return view(*this).num_elements(); }
std::vector<std::size_t> Tensor::shape() const {
  const TensorView::Shape& shape = view(*this).shape();
  return {shape.begin(), shape.end()};
}
std::size_t Tensor::dim(unsigned i) const {
  check_dim(*this, i, "dim");
  return view(*this).shape()[i];
}
unsigned Tensor::rank() const { return view(*this).rank(); }
std::string Tensor::shapeToString() const { return text(shape()); }

bool Tensor::isContiguous() const { return view(*this).is_contiguous(); }
bool Tensor::containsAliases() const { return view(*this).contains_aliases(); }
bool Tensor::containsConstant() const {
  const detail::TensorImpl& impl = detail::Access::impl(*this);
  bool constant = false;
  impl.ref.view.for_each_variable(
      [&](tessera::graph::VariableId id) { constant = constant || impl.state->graph.variables[id].constant; });
  return constant;
}
bool Tensor::isParallelWriteable() const { return !containsConstant() && !containsAliases(); }

bool Tensor::intersectsWith(const Tensor& other) const {
  if (detail::Access::impl(*this).state != detail::Access::impl(other).state) return false;
  const auto mine = view(*this).covering_runs();
  const auto theirs = view(other).covering_runs();
  return std::any_of(mine.begin(), mine.end(), [&](const tessera::graph::VariableRun& a) {
    return std::any_of(theirs.begin(), theirs.end(), [&](const tessera::graph::VariableRun& b) {
      return a.variable == b.variable && a.begin < b.end && b.begin < a.end;
    });
  });
}

std::vector<Interval> Tensor::getContiguousRegions() const {
  std::vector<Interval> out;
  std::size_t at = 0;
  view(*this).for_each_run([&](const tessera::graph::VariableRun& run) {
    out.emplace_back(at, at + (run.end - run.begin));
    at += run.end - run.begin;
  });
  return out;
}

std::vector<VariableInterval> Tensor::getVarRegions() const {
  std::vector<VariableInterval> out;
  view(*this).for_each_run([&](const tessera::graph::VariableRun& run) {
    out.emplace_back(VariableRef(run.variable), Interval(run.begin, run.end));
  });
  return out;
}

Tensor Tensor::operator[](std::size_t i) const& {
  if (rank() == 0) throw index_error("operator[]: tensor of rank 0 (" + getVarStr() + ")");
  if (i >= dim(0)) {
    throw index_error("operator[]: no entry " + std::to_string(i) + " in tensor of shape " + shown(*this));
  }
  return with_view(*this, view(*this).index(i));
}

Tensor Tensor::operator[](std::size_t i) && { return static_cast<const Tensor&>(*this)[i]; }

Tensor Tensor::index(ArrayRef<std::size_t> indices) const {
  if (indices.size() > rank()) {
    throw index_error("index: " + std::to_string(indices.size()) + " indices for a tensor of shape " + shown(*this));
  }
  Tensor t = *this;
  for (const std::size_t i : indices) t = t[i];
  return t;
}

Tensor Tensor::slice(std::size_t begin, std::size_t end, unsigned dimension) const& {
  check_dim(*this, dimension, "slice");
  if (begin > end || end > dim(dimension)) {
    throw index_error("slice: [" + std::to_string(begin) + "," + std::to_string(end) + ") of dimension " +
                      std::to_string(dimension) + " in tensor of shape " + shown(*this));
  }
  return with_view(*this, view(*this).slice(dimension, begin, end));
}

Tensor Tensor::slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const {
  if (begin.size() != end.size()) throw poplar_error("slice: not as many begins as ends");
  if (begin.size() > rank()) {
    throw index_error("slice: " + std::to_string(begin.size()) + " ranges for a tensor of shape " + shown(*this));
  }
  Tensor t = *this;
  for (unsigned d = 0; d < begin.size(); ++d) t = t.slice(begin[d], end[d], d);
  return t;
}

std::vector<Tensor> Tensor::slices(ArrayRef<Interval> intervals, unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(intervals.size());
  for (const Interval& i : intervals) out.push_back(slice(i, dimension));
  return out;
}

std::vector<Tensor> Tensor::slices(const std::vector<std::vector<Interval>>& intervals, unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(intervals.size());
  for (const std::vector<Interval>& group : intervals) {
    out.push_back(group.empty() ? slice(0, 0, dimension) : concat(slices(group, dimension), dimension));
  }
  return out;
}

std::vector<Tensor> Tensor::slices(ArrayRef<unsigned> indices, unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(indices.size());
  for (const unsigned i : indices) out.push_back(slice(i, std::size_t{i} + 1, dimension));
  return out;
}

Tensor Tensor::flatten() const { return with_view(*this, view(*this).flatten()); }

Tensor Tensor::flatten(unsigned dimBegin, unsigned dimEnd) const {
  if (dimBegin > dimEnd || dimEnd > rank()) throw index_error("flatten: dimensions out of range of " + shown(*this));
  std::vector<std::size_t> all = shape();
  const auto first = all.begin() + dimBegin;
  const auto last = all.begin() + dimEnd;
  const auto n = tessera::graph::element_count({first, last});
  if (!n) throw poplar_error(detail::too_many_elements({first, last}));
  all.insert(all.erase(first, last), *n);
  return reshaped(*this, all);
}

Tensor Tensor::reshape(ArrayRef<std::size_t> shape) const { return reshaped(*this, shape.cloneAsVector()); }

Tensor Tensor::reshapePartial(unsigned beginDim, unsigned endDim, ArrayRef<std::size_t> newDims) const {
  if (beginDim > endDim || endDim > rank()) {
    throw index_error("reshapePartial: dimensions out of range of " + shown(*this));
  }
  std::vector<std::size_t> all = shape();
  const auto at = all.erase(all.begin() + beginDim, all.begin() + endDim);
  all.insert(at, newDims.begin(), newDims.end());
  return reshaped(*this, all);
}

Tensor Tensor::dimShuffle(ArrayRef<unsigned> permutation) const {
  std::vector<bool> seen(rank());
  bool good = permutation.size() == rank();
  for (const unsigned d : permutation) {
    good = good && d < rank() && !seen[d];
    if (good) seen[d] = true;
  }
  if (!good) throw poplar_error("dimShuffle: not a permutation of the dimensions of " + shown(*this));
  return with_view(*this, view(*this).dim_shuffle({permutation.data(), permutation.size()}));
}

Tensor Tensor::dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const {
  if (source.size() != destination.size()) throw poplar_error("dimShufflePartial: not as many sources as destinations");
  constexpr unsigned kFree = ~0U;
  std::vector<unsigned> permutation(rank(), kFree);
  std::vector<bool> moved(rank());
  for (std::size_t i = 0; i < source.size(); ++i) {
    check_dim(*this, source[i], "dimShufflePartial");
    check_dim(*this, destination[i], "dimShufflePartial");
    if (moved[source[i]] || permutation[destination[i]] != kFree) {
      throw poplar_error("dimShufflePartial: a dimension is named twice");
    }
    moved[source[i]] = true;
    permutation[destination[i]] = source[i];
  }
  unsigned next = 0;
  for (unsigned& p : permutation) {
    if (p != kFree) continue;
    while (moved[next]) ++next;
    p = next++;
  }
  return dimShuffle(permutation);
}

Tensor Tensor::dimRoll(unsigned dimension, unsigned newIndex) const {
  return dimShufflePartial({dimension}, {newIndex});
}

Tensor Tensor::transpose() const {
  if (rank() != 2) throw poplar_error("transpose: tensor of shape " + shown(*this) + " is not of rank 2");
  return dimShuffle({1, 0});
}

Tensor Tensor::expand(ArrayRef<std::size_t> indices) const {
  std::vector<std::size_t> all = shape();
  std::vector<std::size_t> before = indices.cloneAsVector();
  std::sort(before.begin(), before.end());
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] > rank()) {
      throw index_error("expand: tensor of shape " + shown(*this) + " has no dimension " + std::to_string(before[i]));
    }
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(before[i] + i), 1);
  }
  return reshaped(*this, all);
}

Tensor Tensor::squeeze(ArrayRef<std::size_t> dimensions) const {
  std::vector<std::size_t> all = shape();
  std::vector<std::size_t> out;
  for (const std::size_t d : dimensions) {
    check_dim(*this, static_cast<unsigned>(d), "squeeze");
    if (all[d] != 1) {
      throw poplar_error("squeeze: dimension " + std::to_string(d) + " of shape " + shown(*this) + " is not 1");
    }
  }
  for (std::size_t d = 0; d < all.size(); ++d) {
    if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end()) out.push_back(all[d]);
  }
  return reshaped(*this, out);
}

Tensor Tensor::broadcast(unsigned n, unsigned dimension) const {
  check_dim(*this, dimension, "broadcast");
  check_grown(*this, dimension, n, "broadcast");
  return with_view(*this, view(*this).broadcast(dimension, n));
}

Tensor Tensor::upsample(unsigned scale, unsigned dimension, UpsampleMethod) const {
  check_dim(*this, dimension, "upsample");
  check_grown(*this, dimension, scale, "upsample");
  return with_view(*this, view(*this).upsample(dimension, scale));
}

Tensor Tensor::subSample(unsigned stride, unsigned dimension) const {
  check_dim(*this, dimension, "subSample");
  if (stride == 0) throw poplar_error("subSample: stride 0");
  return with_view(*this, view(*this).sub_sample(dimension, stride));
}

Tensor Tensor::reverse(unsigned dimension) const {
  check_dim(*this, dimension, "reverse");
  return with_view(*this, view(*this).reverse(dimension));
}

Tensor Tensor::reinterpret(const Type& type) const {
  const detail::TensorImpl& impl = detail::Access::impl(*this);
  const tessera::graph::ElementType to = detail::element_type(type);
  if (tessera::graph::size_of(to) != tessera::graph::size_of(impl.ref.type)) {
    throw type_error("reinterpret: " + getVarStr() + ": " + elementType().toString().cloneAsString() + " and " +
                     type.toString().cloneAsString() + " differ in size");
  }
  if (type == QUARTER && elementType() != QUARTER)
    throw tensor_metadata_error("reinterpret: " + getVarStr() +
                                " as QUARTER has no metadata; add a variable with metadata and copy");
  return detail::Access::make_tensor(impl.state, to, impl.ref.view, type == QUARTER ? impl.metadata : Tensor());
}

bool Tensor::operator==(const Tensor& other) const {
  if (!valid() || !other.valid()) return valid() == other.valid();
  return impl_ == other.impl_ || (impl_->state == other.impl_->state && impl_->ref.type == other.impl_->ref.type &&
                                  impl_->ref.view.same_elements(other.impl_->ref.view));
}

Tensor concat(ArrayRef<Tensor> tensors, unsigned dimension) {
  if (tensors.empty()) throw poplar_error("concat: no tensors");
  const detail::TensorImpl& first = detail::Access::impl(tensors[0]);
  check_dim(tensors[0], dimension, "concat");
  std::vector<const TensorView*> views;
  views.reserve(tensors.size());
  std::size_t elements = 0;
  for (const Tensor& t : tensors) {
    const detail::TensorImpl& impl = detail::Access::impl(t);
    if (impl.state != first.state) throw poplar_error("concat: tensors of different graphs");
    if (impl.ref.type != first.ref.type) {
      throw type_error("concat: tensors of types " + tensors[0].elementType().toString().cloneAsString() + " and " +
                       t.elementType().toString().cloneAsString());
    }
    if (impl.metadata != first.metadata)
      throw tensor_metadata_error("concat: " + tensors[0].getVarStr() + " and " + t.getVarStr() +
                                  " have different metadata");
    bool good = t.rank() == tensors[0].rank();
    for (unsigned d = 0; good && d < t.rank(); ++d) {
      good = d == dimension || impl.ref.view.shape()[d] == first.ref.view.shape()[d];
    }
    if (!good) {
      throw poplar_error("concat: shapes " + tensors[0].shapeToString() + " and " + shown(t) +
                         " differ outside dimension " + std::to_string(dimension));
    }
    views.push_back(&impl.ref.view);
    elements += t.numElements();
    if (elements > tessera::graph::kMostElements)
      throw poplar_error("concat: the result has more elements than any tensor can have");
  }
  return with_view(tensors[0], TensorView::concat(views, dimension));
}

Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension) {
  return concat({first, second}, dimension);
}

Tensor append(const Tensor& first, const Tensor& second, unsigned dimension) {
  return concat(first, second.expand({dimension}), dimension);
}

Tensor append(const Tensor& first, const Tensor& second) { return append(first, second, 0); }

}  // namespace poplar
