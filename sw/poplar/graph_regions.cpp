// How views lie in memory.
#include <algorithm>
#include <map>

#include <poplar/Graph.hpp>
#include <poplar/TensorRearranger.hpp>
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
  std::size_t first;  // where they stand for the first time: of pieces from cut_at_aliases; else `at`
};

void place(const g::TensorView& flat, const Interval& region, std::vector<Placed>& out) {
  std::size_t at = region.begin();
  flat.slice(0, region.begin(), region.end()).for_each_run([&](const g::VariableRun& run) {
    out.push_back({run, at, at});
    at += run.end - run.begin;
  });
}

void sort(std::vector<Placed>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    if (a.run.variable != b.run.variable) return a.run.variable < b.run.variable;
    return a.run.begin < b.run.begin;
  });
}

// The pieces sorted, and cut where others of the same memory begin or end, so that two of them have the same elements
// or none in common.
std::vector<Placed> cut_at_aliases(const std::vector<Placed>& all) {
  std::map<g::VariableId, std::vector<std::size_t>> borders;
  for (const Placed& p : all)
    for (const std::size_t border : {p.run.begin, p.run.end}) borders[p.run.variable].push_back(border);
  for (auto& [variable, cuts] : borders) std::sort(cuts.begin(), cuts.end());
  std::vector<Placed> out;
  for (const Placed& p : all) {
    const std::vector<std::size_t>& cuts = borders[p.run.variable];
    auto cut = std::upper_bound(cuts.begin(), cuts.end(), p.run.begin);
    for (std::size_t begin = p.run.begin; begin != p.run.end;) {
      const std::size_t end = std::min(*cut, p.run.end);
      const std::size_t at = p.at + begin - p.run.begin;
      out.push_back({{p.run.variable, begin, end}, at, at});
      begin = end;
      cut = std::upper_bound(cut, cuts.end(), end);
    }
  }
  sort(out);
  for (std::size_t i = 1; i < out.size(); ++i)
    if (out[i].run == out[i - 1].run) out[i].first = out[i - 1].first;
  return out;
}

// The intervals of the flattened tensor in the order of its memory.
std::vector<Interval> memory_order(const g::TensorView& flat) {
  std::vector<Placed> all;
  if (const std::size_t n = flat.num_elements(); n != 0) place(flat, Interval(0, n), all);
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
  return order;
}

}  // namespace

std::vector<std::vector<Interval>> Graph::getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                                                                     bool removeAliases,
                                                                     std::vector<std::size_t>* aliases) const {
  const g::TensorView flat = impl_->own(t, "getSortedContiguousRegions").view.flatten();
  std::vector<Placed> all;
  for (const Interval& region : regions) {
    if (region.begin() > region.end() || region.end() > flat.num_elements()) {
      throw index_error("getSortedContiguousRegions: interval outside of " + t.getVarStr());
    }
    if (region.size() != 0) place(flat, region, all);
  }
  std::vector<std::size_t> unasked;
  std::vector<std::size_t>& firsts = aliases != nullptr ? *aliases : unasked;
  firsts.clear();
  if (aliases != nullptr) {
    all = cut_at_aliases(all);
  } else {
    sort(all);
  }
  std::vector<std::vector<Interval>> groups;
  g::VariableRun last{0, 0, 0};  // where the last group ends
  for (Placed p : all) {
    const bool same_variable = !groups.empty() && p.run.variable == last.variable;
    if (removeAliases && same_variable && p.run.begin < last.end) {
      const std::size_t skip = std::min(last.end, p.run.end) - p.run.begin;
      p.run.begin += skip;
      p.at += skip;
      p.first += skip;
      if (p.run.begin == p.run.end) continue;
    }
    const Interval interval(p.at, p.at + (p.run.end - p.run.begin));
    if (!same_variable || p.run.begin != last.end) groups.emplace_back();
    std::vector<Interval>& group = groups.back();
    if (!group.empty() && group.back().end() == interval.begin() && firsts.back() + group.back().size() == p.first) {
      group.back() = Interval(group.back().begin(), interval.end());
    } else {
      group.push_back(interval);
      firsts.push_back(p.first);
    }
    last = p.run;
  }
  return groups;
}

TensorRearranger Graph::getSimplifyingRearranger(const Tensor& t) const {
  const g::TensorView flat = impl_->own(t, "getSimplifyingRearranger").view.flatten();
  return TensorRearranger(flat.num_elements(), memory_order(flat));
}

void Graph::reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool) const {
  impl_->own(*t, "reorderToSimplify");
  const TensorRearranger by = getSimplifyingRearranger(*t);
  const std::size_t n = t->numElements();
  for (const Tensor* other : ts) {
    impl_->own(*other, "reorderToSimplify");
    if (other->numElements() != n) throw poplar_error("reorderToSimplify: tensors of different sizes");
  }
  *t = by.rearrange(*t);
  for (Tensor* other : ts) *other = by.rearrange(*other);
}

Tensor Graph::findUnbroadcastTensor(const Tensor& t) const {
  const g::TensorRef& own = impl_->own(t, "findUnbroadcastTensor");
  g::TensorView view = own.view;
  for (unsigned dim = 0; dim < view.rank(); ++dim) {
    const std::size_t n = view.shape()[dim];
    for (std::size_t period = 1; period < n; ++period) {
      if (n % period != 0 || !view.slice(dim, 0, 1).same_elements(view.slice(dim, period, period + 1))) continue;
      const g::TensorView once = view.slice(dim, 0, period);
      if (!once.broadcast(dim, n / period).same_elements(view)) continue;
      view = once;
      break;
    }
  }
  return Access::make_tensor(impl_->state, own.type, std::move(view));
}

}  // namespace poplar
