#include "compiler/passes/memory/first_fit.h"

#include <algorithm>

#include "compiler/ir/block.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kGrain = 8;  // of what is taken, so that neighbours become one

}  // namespace

std::optional<std::uint32_t> FirstFit::place(std::uint32_t bytes, std::uint32_t align, std::uint64_t from,
                                             std::uint32_t life, const std::vector<Extent>& avoid) {
  std::vector<Extent> taken = blocked_;
  taken.insert(taken.end(), avoid.begin(), avoid.end());
  Group* own = nullptr;
  const Life& intervals = lives_[life];
  const Interval hull = intervals.empty() ? Interval{} : Interval{intervals.front().first, intervals.back().last};
  for (Group& group : groups_) {
    if (group.life == life) own = &group;
    const bool apart = group.hull.last < hull.first || hull.last < group.hull.first;
    if (group.life == life || (!apart && meet(lives_[group.life], intervals)))
      taken.insert(taken.end(), group.extents.begin(), group.extents.end());
  }
  std::sort(taken.begin(), taken.end(), [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  std::uint64_t at = ir::round_up(std::max(begin_, from), align);
  for (const Extent& extent : taken) {
    if (at + bytes <= extent.begin) break;
    if (extent.end > at) at = ir::round_up(extent.end, align);
  }
  if (at + bytes > end_) return std::nullopt;
  if (bytes > 0) {
    if (own == nullptr) own = &groups_.emplace_back(Group{life, hull, {}});
    add(own->extents, {at / kGrain * kGrain, ir::round_up(at + bytes, kGrain)});
    high_ = std::max(high_, at + bytes);
  }
  return static_cast<std::uint32_t>(at);
}

void FirstFit::add(std::vector<Extent>& extents, Extent extent) {
  auto next = std::lower_bound(extents.begin(), extents.end(), extent.begin,
                               [](const Extent& e, std::uint64_t begin) { return e.begin < begin; });
  if (next != extents.begin() && (next - 1)->end >= extent.begin) {
    --next;
    next->end = std::max(next->end, extent.end);
  } else {
    next = extents.insert(next, extent);
  }
  if (next + 1 != extents.end() && (next + 1)->begin <= next->end) {
    next->end = std::max(next->end, (next + 1)->end);
    extents.erase(next + 1);
  }
}

}  // namespace tessera::compiler
