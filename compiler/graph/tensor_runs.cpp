// Turning views into runs of elements, and the questions that need runs.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "compiler/graph/tensor_view.h"
#include "compiler/graph/view_grid.h"

namespace tessera::graph {
namespace {

// Joins runs that follow each other before handing them on. The visitor says whether to go on.
template <class Visit>
class RunJoiner {
 public:
  explicit RunJoiner(const Visit& visit) : visit_(visit) {}
  bool add(VariableId variable, std::size_t begin, std::size_t n) {
    if (run_.end == begin && run_.variable == variable && run_.end != run_.begin) {
      run_.end += n;
      return true;
    }
    const bool go_on = flush();
    run_ = {variable, begin, begin + n};
    return go_on;
  }
  bool flush() {
    if (run_.begin == run_.end) return true;
    const VariableRun run = run_;
    run_.end = run_.begin;
    return visit_(run);
  }

 private:
  const Visit& visit_;
  VariableRun run_{0, 0, 0};
};

template <class Joiner>
bool walk_dims(VariableId variable, std::int64_t offset, const BoxDim* dims, std::size_t n, Joiner& out) {
  if (n == 0) return out.add(variable, static_cast<std::size_t>(offset), 1);
  if (n == 1 && dims->stride == 1) return out.add(variable, static_cast<std::size_t>(offset), dims->size);
  for (std::size_t i = 0; i < dims->size; ++i, offset += dims->stride) {
    if (!walk_dims(variable, offset, dims + 1, n - 1, out)) return false;
  }
  return true;
}

// A box with the offset that positions on outer axes have given it.
struct Open {
  const Box* box;
  std::int64_t offset;
};

template <class Joiner>
class GridWalker {
 public:
  GridWalker(std::span<const std::size_t> axes, Joiner& out) : axes_(axes), out_(out) {}

  bool walk(std::size_t axis, std::vector<Open> boxes) {
    if (axis == axes_.size()) return walk_dims(boxes[0].box->variable, boxes[0].offset, nullptr, 0, out_);
    std::sort(boxes.begin(), boxes.end(),
              [axis](const Open& a, const Open& b) { return a.box->begin[axis] < b.box->begin[axis]; });
    std::vector<Open> open;
    std::size_t next = 0;
    std::size_t position = 0;
    while (position < axes_[axis]) {
      for (; next < boxes.size() && boxes[next].box->begin[axis] == position; ++next) open.push_back(boxes[next]);
      std::size_t border = next < boxes.size() ? boxes[next].box->begin[axis] : axes_[axis];
      for (const Open& o : open) border = std::min(border, o.box->begin[axis] + extent(*o.box, axis));
      if (!walk_segment(axis, position, border, open)) return false;
      std::erase_if(open, [&](const Open& o) { return o.box->begin[axis] + extent(*o.box, axis) == border; });
      position = border;
    }
    return true;
  }

 private:
  bool covers_rest(const Box& box, std::size_t axis) const {
    for (std::size_t i = axis; i < axes_.size(); ++i) {
      if (extent(box, i) != axes_[i]) return false;
    }
    return true;
  }

  bool walk_segment(std::size_t axis, std::size_t begin, std::size_t end, const std::vector<Open>& open) {
    if (open.size() == 1 && covers_rest(*open[0].box, axis + 1)) {
      const Box& box = *open[0].box;
      const std::span<const BoxDim> on_axis = dims_on(box, axis);
      const BoxDim* inner = on_axis.data() + on_axis.size();
      const BoxDim* last = box.dims.end();
      bool go_on = true;
      clip_dims(on_axis, begin - box.begin[axis], end - box.begin[axis], 0, open[0].offset,
                [&](std::size_t, std::int64_t offset, const BoxDims& clipped) {
                  if (!go_on) return;
                  BoxDims dims = clipped;
                  for (const BoxDim* d = inner; d != last; ++d) dims.push_back(*d);
                  go_on = walk_dims(box.variable, offset, dims.data(), dims.size(), out_);
                });
      return go_on;
    }
    for (std::size_t i = begin; i < end; ++i) {
      std::vector<Open> row = open;
      for (Open& o : row) {
        const std::span<const BoxDim> on_axis = dims_on(*o.box, axis);
        std::size_t position = i - o.box->begin[axis];
        for (std::size_t k = on_axis.size(); k > 0; --k) {
          o.offset += static_cast<std::int64_t>(position % on_axis[k - 1].size) * on_axis[k - 1].stride;
          position /= on_axis[k - 1].size;
        }
      }
      if (!walk(axis + 1, std::move(row))) return false;
    }
    return true;
  }

  std::span<const std::size_t> axes_;
  Joiner& out_;
};

// Visits runs in flattened order until the visitor says stop; false if it did.
template <class Visit>
bool visit_runs(std::span<const std::size_t> axes, std::span<const Box> boxes, const Visit& visit) {
  if (boxes.empty()) return true;
  RunJoiner<Visit> out(visit);
  if (boxes.size() == 1) {
    const Box& box = boxes[0];
    if (!walk_dims(box.variable, box.offset, box.dims.data(), box.dims.size(), out)) return false;
    return out.flush();
  }
  std::vector<Open> open;
  open.reserve(boxes.size());
  for (const Box& box : boxes) open.push_back({&box, box.offset});
  GridWalker<RunJoiner<Visit>> walker(axes, out);
  return walker.walk(0, std::move(open)) && out.flush();
}

// The box's dimensions as positive strides, smallest first, without repeats; gives the lowest element.
std::int64_t normalise(const Box& box, BoxDims& dims) {
  std::int64_t low = box.offset;
  for (const BoxDim& d : box.dims) {
    if (d.stride < 0) low += d.stride * static_cast<std::int64_t>(d.size - 1);
    if (d.stride != 0) dims.push_back({0, d.size, std::abs(d.stride)});
  }
  std::sort(dims.begin(), dims.end(), [](const BoxDim& a, const BoxDim& b) { return a.stride < b.stride; });
  return low;
}

template <class Visit>
void cover_box(const Box& box, const Visit& visit) {
  BoxDims dims;
  const std::int64_t low = normalise(box, dims);
  std::size_t n = 1;
  std::size_t k = 0;
  for (; k < dims.size() && static_cast<std::size_t>(dims[k].stride) <= n; ++k) {
    n += static_cast<std::size_t>(dims[k].stride) * (dims[k].size - 1);
  }
  const auto walk = [&](const auto& self, std::size_t dim, std::int64_t offset) -> void {
    if (dim == k) {
      const std::size_t begin = static_cast<std::size_t>(offset);
      visit(VariableRun{box.variable, begin, begin + n});
      return;
    }
    const BoxDim& d = dims[dim - 1];
    for (std::size_t i = 0; i < d.size; ++i) self(self, dim - 1, offset + static_cast<std::int64_t>(i) * d.stride);
  };
  walk(walk, dims.size(), low);
}

// Whether a box surely has no element twice: each stride steps over all that smaller ones reach.
bool surely_injective(const Box& box) {
  BoxDims dims;
  normalise(box, dims);
  if (dims.size() != box.dims.size()) return false;
  std::int64_t reach = 0;
  for (const BoxDim& d : dims) {
    if (d.stride <= reach) return false;
    reach += d.stride * static_cast<std::int64_t>(d.size - 1);
  }
  return true;
}

VariableRun bounds(const Box& box) {
  BoxDims dims;
  const std::int64_t low = normalise(box, dims);
  std::int64_t high = low + 1;
  for (const BoxDim& d : dims) high += d.stride * static_cast<std::int64_t>(d.size - 1);
  return {box.variable, static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
}

bool before(const VariableRun& a, const VariableRun& b) {
  return a.variable < b.variable || (a.variable == b.variable && a.begin < b.begin);
}

// Sorted, disjoint, joined.
void unite(std::vector<VariableRun>& runs) {
  std::sort(runs.begin(), runs.end(), before);
  std::size_t n = 0;
  for (const VariableRun& run : runs) {
    if (n > 0 && runs[n - 1].variable == run.variable && run.begin <= runs[n - 1].end) {
      runs[n - 1].end = std::max(runs[n - 1].end, run.end);
    } else {
      runs[n++] = run;
    }
  }
  runs.resize(n);
}

// Whether two runs share an element; sorts them.
bool overlap(std::vector<VariableRun>& runs) {
  std::sort(runs.begin(), runs.end(), before);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].variable == runs[i - 1].variable && runs[i].begin < runs[i - 1].end) return true;
  }
  return false;
}

}  // namespace

void TensorView::for_each_run(const std::function<void(const VariableRun&)>& visit) const {
  visit_runs(axes(), boxes(), [&](const VariableRun& run) {
    visit(run);
    return true;
  });
}

std::vector<VariableRun> TensorView::runs() const {
  std::vector<VariableRun> out;
  visit_runs(axes(), boxes(), [&](const VariableRun& run) {
    out.push_back(run);
    return true;
  });
  return out;
}

void TensorView::for_each_covering_run(const std::function<void(const VariableRun&)>& visit) const {
  for (const Box& box : boxes_) cover_box(box, visit);
}

std::vector<VariableRun> TensorView::covering_runs() const {
  std::vector<VariableRun> runs;
  for (const Box& box : boxes_) cover_box(box, [&](const VariableRun& run) { runs.push_back(run); });
  unite(runs);
  return runs;
}

std::vector<VariableRun> TensorView::bounding_runs() const {
  std::vector<VariableRun> runs;
  for (const Box& box : boxes_) runs.push_back(bounds(box));
  unite(runs);
  return runs;
}

TensorView TensorView::rebased(std::span<const VariableRun> from, VariableId to) const {
  std::vector<std::int64_t> start(from.size());  // where each run begins in the new variable
  std::int64_t next = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    start[i] = next;
    next += static_cast<std::int64_t>(from[i].end - from[i].begin);
  }
  TensorView view = *this;
  for (Box& box : view.boxes_) {
    const VariableRun lowest = bounds(box);
    const auto after = std::upper_bound(from.begin(), from.end(), lowest, before);
    const std::size_t i = static_cast<std::size_t>(after - from.begin()) - 1;
    box.variable = to;
    box.offset += start[i] - static_cast<std::int64_t>(from[i].begin);
  }
  return view;
}

void TensorView::for_each_variable(const std::function<void(VariableId)>& visit) const {
  for (const Box& box : boxes_) visit(box.variable);
}

VariableId TensorView::first_variable() const {
  VariableId first = 0;
  visit_runs(axes(), boxes(), [&](const VariableRun& run) {
    first = run.variable;
    return false;
  });
  return first;
}

bool TensorView::is_contiguous() const {
  unsigned n = 0;
  visit_runs(axes(), boxes(), [&](const VariableRun&) { return ++n < 2; });
  return n < 2;
}

bool TensorView::contains_aliases() const {
  std::vector<VariableRun> runs;
  for (const Box& box : boxes_) runs.push_back(bounds(box));
  const bool boxes_apart = !overlap(runs);
  if (boxes_apart && std::all_of(boxes_.begin(), boxes_.end(), surely_injective)) return false;
  for (const Box& box : boxes_) {
    for (const BoxDim& d : box.dims) {
      if (d.stride == 0) return true;
    }
  }
  runs.clear();
  for (const Box& box : boxes_) {
    if (surely_injective(box)) {
      cover_box(box, [&](const VariableRun& run) { runs.push_back(run); });
    } else {
      visit_runs(axes(), {&box, 1}, [&](const VariableRun& run) {
        runs.push_back(run);
        return true;
      });
    }
  }
  return overlap(runs);
}

bool TensorView::same_elements(const TensorView& other) const {
  return shape_ == other.shape_ && runs() == other.runs();
}

}  // namespace tessera::graph
