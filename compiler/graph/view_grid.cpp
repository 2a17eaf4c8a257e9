#include "compiler/graph/view_grid.h"

#include <algorithm>

namespace tessera::graph {
namespace {

std::size_t product(std::span<const BoxDim> dims) {
  std::size_t n = 1;
  for (const BoxDim& d : dims) n *= d.size;
  return n;
}

// Adds a dimension inside the last one, joining the two where one stride walks both.
void push_dim(BoxDims& dims, const BoxDim& d) {
  if (!dims.empty() && dims.back().axis == d.axis &&
      dims.back().stride == d.stride * static_cast<std::int64_t>(d.size)) {
    dims.back().size *= d.size;
    dims.back().stride = d.stride;
    return;
  }
  dims.push_back(d);
}

// The box with its dimensions on `axis` replaced.
Box with_dims(const Box& box, std::size_t axis, std::size_t begin, std::int64_t offset, const BoxDims& on_axis) {
  Box out;
  out.variable = box.variable;
  out.offset = offset;
  out.begin = box.begin;
  out.begin[axis] = begin;
  std::size_t i = 0;
  for (; i < box.dims.size() && box.dims[i].axis < axis; ++i) out.dims.push_back(box.dims[i]);
  for (const BoxDim& d : on_axis) out.dims.push_back(d);
  for (; i < box.dims.size(); ++i) {
    if (box.dims[i].axis > axis) out.dims.push_back(box.dims[i]);
  }
  return out;
}

// Local positions [lo, hi) of the box on the axis, appended as boxes.
void clip_box(const Box& box, std::size_t axis, std::size_t lo, std::size_t hi, std::vector<Box>& out) {
  const std::span<const BoxDim> dims = dims_on(box, axis);
  if (lo == 0 && hi == product(dims)) {
    out.push_back(box);
    return;
  }
  clip_dims(dims, lo, hi, lo, box.offset, [&](std::size_t start, std::int64_t offset, const BoxDims& clipped) {
    out.push_back(with_dims(box, axis, box.begin[axis] + start, offset, clipped));
  });
}

// Splits a walk after every `inner` positions into an outer walk on `axis` and an inner one on `axis` + 1; false if
// the border falls inside a dimension that it does not divide.
bool split_dims(std::span<const BoxDim> dims, std::uint32_t axis, std::size_t inner, BoxDims& out) {
  BoxDims reversed;
  std::size_t below = 1;
  std::size_t i = dims.size();
  for (; i > 0 && below < inner; --i) {
    const BoxDim& d = dims[i - 1];
    const std::size_t rest = inner / below;
    if (rest % d.size == 0) {
      reversed.push_back({axis + 1, d.size, d.stride});
      below *= d.size;
    } else if (d.size % rest == 0) {
      reversed.push_back({axis + 1, rest, d.stride});
      reversed.push_back({axis, d.size / rest, d.stride * static_cast<std::int64_t>(rest)});
      below = inner;
    } else {
      return false;
    }
  }
  for (; i > 0; --i) reversed.push_back({axis, dims[i - 1].size, dims[i - 1].stride});
  for (std::size_t k = reversed.size(); k > 0; --k) out.push_back(reversed[k - 1]);
  return true;
}

// A box whose walk on `axis` lies in one row (inner positions each) or in whole rows, on the split axes; false if its
// dimensions cannot be split there.
bool split_box(const Box& box, std::size_t axis, std::size_t inner, Box& out) {
  const std::span<const BoxDim> dims = dims_on(box, axis);
  const std::size_t begin = box.begin[axis];
  const bool one_row = begin / inner == (begin + product(dims) - 1) / inner;
  BoxDims on_axes;
  if (one_row) {
    for (const BoxDim& d : dims) on_axes.push_back({d.axis + 1, d.size, d.stride});
  } else if (!split_dims(dims, static_cast<std::uint32_t>(axis), inner, on_axes)) {
    return false;
  }
  out.variable = box.variable;
  out.offset = box.offset;
  out.begin = box.begin;
  out.begin[axis] = begin / inner;
  out.begin.insert(axis + 1, begin % inner);
  for (const BoxDim& d : box.dims) {
    if (d.axis < axis) out.dims.push_back(d);
  }
  for (const BoxDim& d : on_axes) out.dims.push_back(d);
  for (const BoxDim& d : box.dims) {
    if (d.axis > axis) out.dims.push_back({d.axis + 1, d.size, d.stride});
  }
  return true;
}

// Makes `next` part of `last` if it continues it along the axis.
bool join(Box& last, const Box& next, std::size_t axis) {
  if (last.variable != next.variable) return false;
  const std::size_t last_extent = extent(last, axis);
  for (std::size_t i = 0; i < last.begin.size(); ++i) {
    if (next.begin[i] != last.begin[i] + (i == axis ? last_extent : 0)) return false;
  }
  const std::span<const BoxDim> last_dims = dims_on(last, axis);
  const std::span<const BoxDim> next_dims = dims_on(next, axis);
  if (last_dims.size() > 1 || next_dims.size() > 1) return false;
  if (last.dims.size() - last_dims.size() != next.dims.size() - next_dims.size()) return false;
  for (std::size_t i = 0, k = 0; i < last.dims.size(); ++i) {
    if (last.dims[i].axis == axis) continue;
    while (next.dims[k].axis == axis) ++k;
    if (!(last.dims[i] == next.dims[k++])) return false;
  }
  const std::int64_t distance = next.offset - last.offset;
  std::int64_t stride = distance;
  if (!last_dims.empty()) {
    stride = last_dims[0].stride;
    if (distance != stride * static_cast<std::int64_t>(last_extent)) return false;
  }
  if (!next_dims.empty() && next_dims[0].stride != stride) return false;
  BoxDims joined;
  joined.push_back({static_cast<std::uint32_t>(axis), last_extent + extent(next, axis), stride});
  last = with_dims(last, axis, last.begin[axis], last.offset, joined);
  return true;
}

// Positions [begin, end) of the axis.
std::vector<Box> cut_boxes(const std::vector<Box>& boxes, std::size_t axis, std::size_t begin, std::size_t end) {
  std::vector<Box> out;
  for (const Box& box : boxes) {
    const std::size_t box_begin = box.begin[axis];
    if (box_begin >= end) continue;
    const std::size_t n = extent(box, axis);
    if (box_begin + n <= begin) continue;
    const std::size_t lo = begin > box_begin ? begin - box_begin : 0;
    const std::size_t hi = std::min(n, end - box_begin);
    const std::size_t mark = out.size();
    clip_box(box, axis, lo, hi, out);
    for (std::size_t i = mark; i < out.size(); ++i) out[i].begin[axis] -= begin;
  }
  return out;
}

}  // namespace

ViewGrid::ViewGrid(const TensorView& view, std::size_t axis, std::size_t begin, std::size_t end)
    : axes_(view.axes_), boxes_(cut_boxes(view.boxes_, axis, begin, end)) {
  axes_[axis] = end - begin;
}

std::span<const BoxDim> dims_on(const Box& box, std::size_t axis) {
  std::size_t first = 0;
  while (first < box.dims.size() && box.dims[first].axis < axis) ++first;
  std::size_t last = first;
  while (last < box.dims.size() && box.dims[last].axis == axis) ++last;
  return {box.dims.data() + first, last - first};
}

std::size_t extent(const Box& box, std::size_t axis) { return product(dims_on(box, axis)); }

bool ViewGrid::match(std::span<const std::size_t> axes, std::span<const std::size_t> dims, Counts& counts) {
  counts.resize(dims.size());
  std::size_t i = axes.size();
  for (std::size_t d = dims.size(); d > 0; --d) {
    std::size_t size = 1;
    const std::size_t end = i;
    while (size < dims[d - 1]) size *= axes[--i];
    if (size != dims[d - 1]) return false;
    counts[d - 1] = static_cast<std::uint32_t>(end - i);
  }
  return true;
}

ViewGrid::Counts ViewGrid::align(std::span<const std::size_t> dims) {
  Counts counts;
  if (match({axes_.data(), axes_.size()}, dims, counts)) return counts;
  std::size_t i = axes_.size();  // axes from i on belong to dimensions already done
  for (std::size_t d = dims.size(); d > 0; --d) {
    const std::size_t target = dims[d - 1];
    std::size_t size = 1;  // of axes [j, i)
    std::size_t j = i;
    while (size < target) {
      const std::size_t f = axes_[j - 1];
      const std::size_t rest = target % size == 0 ? target / size : 0;
      if (rest != 0 && rest % f == 0) {
        size *= f;
        --j;
      } else if (rest != 0 && f % rest == 0) {
        split(j - 1, rest);
        ++i;
        size = target;
      } else if (j < i) {
        // The border falls between multiples of what is gathered: go on with one axis for all of it.
        for (; j < i; --i) merge_with_next(j - 1);
        size = 1;
      } else {
        merge_with_next(j - 2);
        --i;
        --j;
      }
    }
    counts[d - 1] = static_cast<std::uint32_t>(i - j);
    i = j;
  }
  return counts;
}

void ViewGrid::split(std::size_t axis, std::size_t inner) {
  std::vector<Box> out;
  out.reserve(boxes_.size());
  std::vector<Box> part;
  const auto rows = [&](const Box& box, std::size_t from, std::size_t to) {  // local positions in grid rows
    part.clear();
    clip_box(box, axis, from, to, part);
    const bool one_row = (box.begin[axis] + from) / inner == (box.begin[axis] + to - 1) / inner;
    if (one_row || part.size() == 1) {
      const std::size_t mark = out.size();
      bool good = true;
      for (const Box& p : part) {
        Box split;
        good = good && split_box(p, axis, inner, split);
        if (good) out.push_back(std::move(split));
      }
      if (good) return;
      out.resize(mark);
    }
    for (std::size_t row = from; row < to; row += inner) {
      part.clear();
      clip_box(box, axis, row, row + inner, part);
      for (const Box& p : part) {
        Box split;
        split_box(p, axis, inner, split);
        out.push_back(std::move(split));
      }
    }
  };
  for (const Box& box : boxes_) {
    const std::size_t begin = box.begin[axis];
    const std::size_t n = extent(box, axis);
    const std::size_t end = begin + n;
    if (begin / inner == (end - 1) / inner) {
      rows(box, 0, n);
      continue;
    }
    const std::size_t head = begin % inner == 0 ? 0 : inner - begin % inner;
    const std::size_t tail = end % inner;
    if (head != 0) rows(box, 0, head);
    if (head < n - tail) rows(box, head, n - tail);
    if (tail != 0) rows(box, n - tail, n);
  }
  boxes_ = std::move(out);
  const std::size_t size = axes_[axis];
  axes_[axis] = size / inner;
  axes_.insert(axis + 1, inner);
}

void ViewGrid::merge_with_next(std::size_t axis) {
  const std::size_t inner_size = axes_[axis + 1];
  std::vector<Box> out;
  out.reserve(boxes_.size());
  const auto merged = [&](const Box& box, std::size_t row, std::int64_t offset, bool with_outer) {
    Box m;
    m.variable = box.variable;
    m.offset = offset;
    m.begin = box.begin;
    m.begin[axis] = row * inner_size + box.begin[axis + 1];
    m.begin.erase(axis + 1);
    for (const BoxDim& d : box.dims) {
      if (d.axis == axis && !with_outer) continue;
      push_dim(m.dims, {d.axis > axis ? d.axis - 1 : d.axis, d.size, d.stride});
    }
    out.push_back(std::move(m));
  };
  for (const Box& box : boxes_) {
    const std::span<const BoxDim> outer = dims_on(box, axis);
    const std::size_t n = product(outer);
    if (n == 1 || extent(box, axis + 1) == inner_size) {
      merged(box, box.begin[axis], box.offset, true);
      continue;
    }
    for (std::size_t row = 0; row < n; ++row) {
      std::int64_t offset = box.offset;
      std::size_t position = row;
      for (std::size_t k = outer.size(); k > 0; --k) {
        offset += static_cast<std::int64_t>(position % outer[k - 1].size) * outer[k - 1].stride;
        position /= outer[k - 1].size;
      }
      merged(box, box.begin[axis] + row, offset, false);
    }
  }
  boxes_ = std::move(out);
  axes_[axis] *= inner_size;
  axes_.erase(axis + 1);
}

void ViewGrid::cut(std::size_t first, std::size_t count, std::size_t begin, std::size_t end) {
  for (; count > 1; --count) {
    std::size_t inner = 1;
    for (std::size_t i = 1; i < count; ++i) inner *= axes_[first + i];
    const std::size_t row = begin / inner;
    const std::size_t rows = (end + inner - 1) / inner - row;
    cut_axis(first, row, row + rows);
    begin -= row * inner;
    end -= row * inner;
    if (begin == 0 && end == rows * inner) return;
    if (rows == 1) {
      drop_axis(first);
    } else {
      merge_with_next(first);
    }
  }
  cut_axis(first, begin, end);
  if (axes_[first] == 1) drop_axis(first);
}

void ViewGrid::cut_axis(std::size_t axis, std::size_t begin, std::size_t end) {
  if (begin == 0 && end == axes_[axis]) return;
  boxes_ = cut_boxes(boxes_, axis, begin, end);
  axes_[axis] = end - begin;
}

void ViewGrid::drop_axis(std::size_t axis) {
  for (Box& box : boxes_) {
    box.begin.erase(axis);
    for (BoxDim& d : box.dims) d.axis -= d.axis > axis ? 1 : 0;
  }
  axes_.erase(axis);
}

void ViewGrid::insert_unit_axis(std::size_t at) {
  axes_.insert(at, 1);
  for (Box& box : boxes_) {
    box.begin.insert(at, 0);
    for (BoxDim& d : box.dims) d.axis += d.axis >= at ? 1 : 0;
  }
}

void ViewGrid::insert_repeat(std::size_t at, std::size_t n) {
  insert_unit_axis(at);
  axes_[at] = n;
  for (Box& box : boxes_) {
    std::size_t i = 0;
    while (i < box.dims.size() && box.dims[i].axis < at) ++i;
    box.dims.insert(i, {static_cast<std::uint32_t>(at), n, 0});
  }
}

void ViewGrid::reverse(std::size_t axis) {
  for (Box& box : boxes_) {
    box.begin[axis] = axes_[axis] - box.begin[axis] - extent(box, axis);
    for (BoxDim& d : box.dims) {
      if (d.axis != axis) continue;
      box.offset += static_cast<std::int64_t>(d.size - 1) * d.stride;
      d.stride = -d.stride;
    }
  }
}

void ViewGrid::permute(std::span<const std::uint32_t> order) {
  Axes axes;
  for (const std::uint32_t old : order) axes.push_back(axes_[old]);
  for (Box& box : boxes_) {
    Box moved;
    moved.variable = box.variable;
    moved.offset = box.offset;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      moved.begin.push_back(box.begin[order[i]]);
      for (const BoxDim& d : dims_on(box, order[i])) moved.dims.push_back({i, d.size, d.stride});
    }
    box = std::move(moved);
  }
  axes_ = std::move(axes);
}

void ViewGrid::append(const ViewGrid& other, std::size_t axis) {
  for (const Box& box : other.boxes_) {
    boxes_.push_back(box);
    boxes_.back().begin[axis] += axes_[axis];
    if (boxes_.size() > 1 && join(boxes_[boxes_.size() - 2], boxes_.back(), axis)) boxes_.pop_back();
  }
  axes_[axis] += other.axes_[axis];
}

void ViewGrid::simplify() {
  for (std::size_t i = axes_.size(); i > 0; --i) {
    if (axes_[i - 1] == 1) drop_axis(i - 1);
  }
  if (boxes_.size() != 1) return;
  BoxDims dims;
  for (const BoxDim& d : boxes_[0].dims) push_dim(dims, d);
  boxes_[0].dims = dims;
  for (std::size_t i = axes_.size(); i > 1; --i) {
    const std::span<const BoxDim> outer = dims_on(boxes_[0], i - 2);
    const std::span<const BoxDim> inner = dims_on(boxes_[0], i - 1);
    if (outer.back().stride == inner.front().stride * static_cast<std::int64_t>(inner.front().size)) {
      merge_with_next(i - 2);
    }
  }
}

TensorView ViewGrid::to_view(TensorView::Shape shape) && {
  simplify();
  TensorView view;
  view.shape_ = std::move(shape);
  view.axes_ = std::move(axes_);
  view.boxes_ = std::move(boxes_);
  return view;
}

}  // namespace tessera::graph
