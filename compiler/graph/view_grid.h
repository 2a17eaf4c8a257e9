// The grid of a tensor view while an operation works on it: splitting, joining, cutting and reordering axes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compiler/graph/tensor_view.h"

namespace tessera::graph {

class ViewGrid {
 public:
  using Axes = Sizes;
  using Counts = InlineVector<std::uint32_t, 4>;

  explicit ViewGrid(const TensorView& view) : axes_(view.axes_), boxes_(view.boxes_) {}
  // Only positions [begin, end) of an axis of the view.
  ViewGrid(const TensorView& view, std::size_t axis, std::size_t begin, std::size_t end);

  // Number of axes that make up each dimension, if the borders of dimensions are borders of axes; false otherwise.
  static bool match(std::span<const std::size_t> axes, std::span<const std::size_t> dims, Counts& counts);
  // Splits and joins axes until they match.
  Counts align(std::span<const std::size_t> dims);

  // Axis of size f becomes two of sizes f / inner and inner.
  void split(std::size_t axis, std::size_t inner);
  // Axes `axis` and `axis` + 1 become one.
  void merge_with_next(std::size_t axis);
  // Keeps [begin, end) of the positions that `count` axes from `first` on make together; they become one axis, or none
  // if one position remains.
  void cut(std::size_t first, std::size_t count, std::size_t begin, std::size_t end);
  // A new axis of size n before axis `at`, along which everything repeats.
  void insert_repeat(std::size_t at, std::size_t n);
  void insert_unit_axis(std::size_t at);
  void reverse(std::size_t axis);
  // New axis i is old axis order[i].
  void permute(std::span<const std::uint32_t> order);
  // Appends the boxes of another grid that differs only in the size of the axis.
  void append(const ViewGrid& other, std::size_t axis);

  const Axes& axes() const { return axes_; }
  TensorView to_view(TensorView::Shape shape) &&;

 private:
  void cut_axis(std::size_t axis, std::size_t begin, std::size_t end);
  void drop_axis(std::size_t axis);
  void simplify();

  Axes axes_;
  std::vector<Box> boxes_;
};

// Number of positions that a box takes on an axis.
std::size_t extent(const Box& box, std::size_t axis);
// The dimensions of the box on the axis.
std::span<const BoxDim> dims_on(const Box& box, std::size_t axis);

// Positions [lo, hi) of a walk through dims, as few boxes of dims as they make: visit(start, offset, dims) with the
// position in the walk, counted from lo, and the element offset of each box's first corner.
template <class Visit>
void clip_dims(std::span<const BoxDim> dims, std::size_t lo, std::size_t hi, std::size_t start, std::int64_t offset,
               const Visit& visit) {
  if (dims.empty()) {
    visit(start, offset, BoxDims{});
    return;
  }
  const BoxDim& outer = dims[0];
  const std::span<const BoxDim> rest = dims.subspan(1);
  std::size_t inner = 1;
  for (const BoxDim& d : rest) inner *= d.size;
  const auto at_row = [&](std::size_t row) { return offset + static_cast<std::int64_t>(row) * outer.stride; };
  std::size_t row = lo / inner;
  if (row == (hi - 1) / inner) {
    clip_dims(rest, lo - row * inner, hi - row * inner, start, at_row(row), visit);
    return;
  }
  if (lo % inner != 0) {
    clip_dims(rest, lo % inner, inner, start, at_row(row), visit);
    start += inner - lo % inner;
    ++row;
  }
  const std::size_t end_row = hi / inner;
  if (end_row > row) {
    BoxDims whole;
    if (end_row - row > 1) whole.push_back({outer.axis, end_row - row, outer.stride});
    for (const BoxDim& d : rest) whole.push_back(d);
    visit(start, at_row(row), whole);
    start += (end_row - row) * inner;
  }
  if (hi % inner != 0) clip_dims(rest, 0, hi % inner, start, at_row(end_row), visit);
}

}  // namespace tessera::graph
