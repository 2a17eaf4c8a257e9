// How views lie in memory.
#include <algorithm>

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;

namespace {

// Elements of a variable and where they stand in the flattened tensor.
struct Placed {
  g::VariableRun run;
  std::size_t at;
};

void place(const g::TensorView& flat, const Interval& region, std::vector<Placed>& out) {
  std::size_t at = region.begin();
  flat.slice(0, region.begin(), region.end()).for_each_run([&](const g::VariableRun& run) {
    out.push_back({run, at});
    at += run.end - run.begin;
  });
}

void sort(std::vector<Placed>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    if (a.run.variable != b.run.variable) return a.run.variable < b.run.variable;
    return a.run.begin < b.run.begin;
  });
}

}  // namespace

std::vector<std::vector<Interval>> Graph::getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                                                                     bool removeAliases) const {
  const g::TensorView flat = impl_->own(t, "getSortedContiguousRegions").view.flatten();
  std::vector<Placed> all;
  for (const Interval& region : regions) {
    if (region.begin() > region.end() || region.end() > flat.num_elements()) {
      throw index_error("getSortedContiguousRegions: interval outside of " + t.getVarStr());
    }
    if (region.size() != 0) place(flat, region, all);
  }
  sort(all);
  std::vector<std::vector<Interval>> groups;
  g::VariableRun last{0, 0, 0};  // where the last group ends
  for (Placed p : all) {
    const bool same_variable = !groups.empty() && p.run.variable == last.variable;
    if (removeAliases && same_variable && p.run.begin < last.end) {
      const std::size_t skip = std::min(last.end, p.run.end) - p.run.begin;
      p.run.begin += skip;
      p.at += skip;
      if (p.run.begin == p.run.end) continue;
    }
    const Interval interval(p.at, p.at + (p.run.end - p.run.begin));
    if (same_variable && p.run.begin == last.end) {
      std::vector<Interval>& group = groups.back();
      if (group.back().end() == interval.begin()) {
        group.back() = Interval(group.back().begin(), interval.end());
      } else {
        group.push_back(interval);
      }
    } else {
      groups.push_back({interval});
    }
    last = p.run;
  }
  return groups;
}

void Graph::reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool) const {
  const g::TensorView flat = impl_->own(*t, "reorderToSimplify").view.flatten();
  const std::size_t n = flat.num_elements();
  for (const Tensor* other : ts) {
    impl_->own(*other, "reorderToSimplify");
    if (other->numElements() != n) throw poplar_error("reorderToSimplify: tensors of different sizes");
  }
  std::vector<Placed> all;
  if (n != 0) place(flat, Interval(0, n), all);
  sort(all);
  std::vector<Interval> order;
  for (const Placed& p : all) {
    const Interval interval(p.at, p.at + (p.run.end - p.run.begin));
    if (!order.empty() && order.back().end() == interval.begin()) {
      order.back() = Interval(order.back().begin(), interval.end());
    } else {
      order.push_back(interval);
    }
  }
  const auto reorder = [&](Tensor& x) { x = order.size() < 2 ? x.flatten() : concat(x.flatten().slices(order)); };
  reorder(*t);
  for (Tensor* other : ts) reorder(*other);
}

}  // namespace poplar
