#include "compiler/graph/tensor_view.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "compiler/graph/view_grid.h"

namespace tessera::graph {
namespace {

std::size_t product(std::span<const std::size_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace

std::optional<std::size_t> element_count(std::span<const std::size_t> shape) {
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t size : shape) {
    if (size > kMostElements / count) return std::nullopt;
    count *= size;
  }
  return count;
}

namespace {

// Sizes before, at and after a dimension.
std::array<std::size_t, 3> around(const TensorView::Shape& shape, unsigned dim) {
  const std::span<const std::size_t> s(shape.data(), shape.size());
  return {product(s.first(dim)), shape[dim], product(s.subspan(dim + 1))};
}

// Borders between the axes of all grids from `first` on that belong to a part of the shape, as axis sizes; empty if
// they do not divide each other.
std::vector<std::size_t> common_axes(std::span<const ViewGrid> grids, const std::vector<ViewGrid::Counts>& counts,
                                     std::size_t part) {
  std::vector<std::size_t> borders;  // products of inner axes
  for (std::size_t g = 0; g < grids.size(); ++g) {
    std::size_t end = 0;
    for (std::size_t p = 0; p <= part; ++p) end += counts[g][p];
    std::size_t size = 1;
    for (std::size_t i = end; i > end - counts[g][part]; --i) borders.push_back(size *= grids[g].axes()[i - 1]);
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::vector<std::size_t> axes;
  std::size_t below = 1;
  for (const std::size_t border : borders) {
    if (border % below != 0) return {};
    axes.insert(axes.begin(), border / below);
    below = border;
  }
  return axes;
}

}  // namespace

TensorView TensorView::whole(VariableId variable, std::span<const std::size_t> shape) {
  TensorView view;
  view.shape_.assign(shape.begin(), shape.end());
  const std::size_t n = view.num_elements();
  if (n == 0) return view;
  Box box;
  box.variable = variable;
  if (n > 1) {
    view.axes_.push_back(n);
    box.begin.push_back(0);
    box.dims.push_back({0, n, 1});
  }
  view.boxes_.push_back(std::move(box));
  return view;
}

std::size_t TensorView::num_elements() const { return product({shape_.data(), shape_.size()}); }

TensorView TensorView::without_elements(Shape&& shape) {
  TensorView result;
  result.shape_ = std::move(shape);
  return result;
}

TensorView TensorView::slice(unsigned dim, std::size_t begin, std::size_t end) const {
  if (begin == 0 && end == shape_[dim]) return *this;
  Shape shape = shape_;
  shape[dim] = end - begin;
  if (begin == end || boxes_.empty()) return without_elements(std::move(shape));
  ViewGrid::Counts counts;
  if (ViewGrid::match(axes(), around(shape_, dim), counts)) {
    // Usual case: take only the boxes that are hit.
    const std::uint32_t axis = counts[0];
    const std::size_t inner = shape_[dim] / axes_[axis];
    const std::size_t row = begin / inner;
    ViewGrid grid(*this, axis, row, (end + inner - 1) / inner);
    grid.cut(axis, counts[1], begin - row * inner, end - row * inner);
    return std::move(grid).to_view(std::move(shape));
  }
  ViewGrid grid(*this);
  counts = grid.align(around(shape_, dim));
  grid.cut(counts[0], counts[1], begin, end);
  return std::move(grid).to_view(std::move(shape));
}

TensorView TensorView::index(std::size_t i) const {
  TensorView view = slice(0, i, i + 1);
  view.shape_.erase(0);
  return view;
}

TensorView TensorView::reshape(std::span<const std::size_t> shape) const {
  TensorView view = *this;
  view.shape_.assign(shape.begin(), shape.end());
  return view;
}

TensorView TensorView::flatten() const {
  const std::size_t n = num_elements();
  return reshape({&n, 1});
}

TensorView TensorView::dim_shuffle(std::span<const unsigned> permutation) const {
  Shape shape;
  for (const unsigned d : permutation) shape.push_back(shape_[d]);
  if (boxes_.empty()) return without_elements(std::move(shape));
  ViewGrid grid(*this);
  const ViewGrid::Counts counts = grid.align({shape_.data(), shape_.size()});
  InlineVector<std::uint32_t, 4> first;
  std::uint32_t next = 0;
  for (const std::uint32_t count : counts) {
    first.push_back(next);
    next += count;
  }
  InlineVector<std::uint32_t, 4> order;
  for (const unsigned d : permutation) {
    for (std::uint32_t i = 0; i < counts[d]; ++i) order.push_back(first[d] + i);
  }
  grid.permute({order.data(), order.size()});
  return std::move(grid).to_view(std::move(shape));
}

TensorView TensorView::broadcast(unsigned dim, std::size_t n) const {
  Shape shape = shape_;
  shape[dim] *= n;
  if (n == 0 || boxes_.empty()) return without_elements(std::move(shape));
  ViewGrid grid(*this);
  const std::array<std::size_t, 3> sizes = around(shape_, dim);
  const std::array<std::size_t, 2> borders = {sizes[0], sizes[1] * sizes[2]};
  const ViewGrid::Counts counts = grid.align(borders);
  if (n > 1) grid.insert_repeat(counts[0], n);
  return std::move(grid).to_view(std::move(shape));
}

TensorView TensorView::upsample(unsigned dim, std::size_t scale) const {
  Shape shape = shape_;
  shape[dim] *= scale;
  if (scale == 0 || boxes_.empty()) return without_elements(std::move(shape));
  ViewGrid grid(*this);
  const std::array<std::size_t, 3> sizes = around(shape_, dim);
  const std::array<std::size_t, 2> borders = {sizes[0] * sizes[1], sizes[2]};
  const ViewGrid::Counts counts = grid.align(borders);
  if (scale > 1) grid.insert_repeat(counts[0], scale);
  return std::move(grid).to_view(std::move(shape));
}

TensorView TensorView::sub_sample(unsigned dim, std::size_t stride) const {
  const std::array<std::size_t, 3> sizes = around(shape_, dim);
  const std::size_t groups = sizes[1] / stride;
  const std::size_t sampled = groups * stride;
  Shape shape = shape_;
  shape[dim] = groups;
  const TensorView body = slice(dim, 0, sampled)
                              .reshape(std::array<std::size_t, 4>{sizes[0], groups, stride, sizes[2]})
                              .slice(2, 0, 1)
                              .reshape({shape.data(), shape.size()});
  if (sampled == sizes[1]) return body;
  const TensorView tail = slice(dim, sampled, sampled + 1);
  const std::array<const TensorView*, 2> parts = {&body, &tail};
  return concat(parts, dim);
}

TensorView TensorView::reverse(unsigned dim) const {
  if (boxes_.empty()) return *this;
  ViewGrid grid(*this);
  const ViewGrid::Counts counts = grid.align(around(shape_, dim));
  for (std::uint32_t i = 0; i < counts[1]; ++i) grid.reverse(counts[0] + i);
  return std::move(grid).to_view(shape_);
}

TensorView TensorView::concat(std::span<const TensorView* const> views, unsigned dim) {
  Shape shape = views[0]->shape_;
  shape[dim] = 0;
  std::vector<ViewGrid> grids;
  std::vector<ViewGrid::Counts> counts;
  grids.reserve(views.size());
  for (const TensorView* view : views) {
    shape[dim] += view->shape_[dim];
    if (view->boxes_.empty()) continue;
    grids.emplace_back(*view);
    counts.push_back(grids.back().align(around(view->shape_, dim)));
  }
  TensorView result;
  result.shape_ = shape;
  if (grids.empty()) return result;

  // The same axes before and after the dimension in all grids; the dimension is one axis in each, or the same axes but
  // for the first.
  const auto parts_equal = [&](std::size_t part) {
    return std::all_of(grids.begin() + 1, grids.end(), [&](const ViewGrid& grid) {
      const std::size_t g = static_cast<std::size_t>(&grid - grids.data());
      const std::size_t skip = part == 1 ? 1 : 0;  // the first axis of the dimension itself may differ
      if (counts[g][part] != counts[0][part]) return false;
      std::size_t at = 0;
      std::size_t at0 = 0;
      for (std::size_t p = 0; p < part; ++p) at += counts[g][p], at0 += counts[0][p];
      for (std::size_t i = skip; i < counts[0][part]; ++i) {
        if (grid.axes()[at + i] != grids[0].axes()[at0 + i]) return false;
      }
      return true;
    });
  };
  const bool whole_dim = parts_equal(1) && counts[0][1] > 0;
  if (!parts_equal(0) || !parts_equal(2) || !whole_dim) {
    const std::vector<std::size_t> before = common_axes(grids, counts, 0);
    const std::vector<std::size_t> after = common_axes(grids, counts, 2);
    std::vector<const TensorView*> full;
    for (const TensorView* view : views) {
      if (!view->boxes_.empty()) full.push_back(view);
    }
    for (std::size_t g = 0; g < grids.size(); ++g) {
      const std::array<std::size_t, 3> sizes = around(full[g]->shape_, dim);
      std::vector<std::size_t> wanted = before.empty() ? std::vector<std::size_t>{sizes[0]} : before;
      const std::size_t at = wanted.size();
      wanted.push_back(sizes[1]);
      if (after.empty()) {
        wanted.push_back(sizes[2]);
      } else {
        wanted.insert(wanted.end(), after.begin(), after.end());
      }
      const ViewGrid::Counts fine = grids[g].align(wanted);
      std::size_t first = 0;
      std::array<std::uint32_t, 3> merged = {0, 0, 0};
      for (std::size_t w = 0; w < wanted.size(); ++w) {
        for (std::uint32_t i = 1; i < fine[w]; ++i) grids[g].merge_with_next(first);
        const std::uint32_t axes = fine[w] > 0 ? 1 : 0;
        merged[w < at ? 0 : w == at ? 1 : 2] += axes;
        first += axes;
      }
      if (merged[1] == 0) {
        grids[g].insert_unit_axis(merged[0]);
        merged[1] = 1;
      }
      counts[g] = ViewGrid::Counts{merged[0], merged[1], merged[2]};
    }
  }
  ViewGrid joined = std::move(grids[0]);
  for (std::size_t g = 1; g < grids.size(); ++g) joined.append(grids[g], counts[0][0]);
  return std::move(joined).to_view(std::move(shape));
}

}  // namespace tessera::graph
