#include "compiler/passes/phases/phase_order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::compiler {
namespace {

using Kind = OrderedStep::Kind;

// When a copy can run at the earliest: in phase `phase` itself (local = 0), or as one of the local copies that follow
// that phase. Phases are numbered from 1 through all steps.
struct Turn {
  std::uint32_t phase = 0, local = 0;
  auto operator<=>(const Turn&) const = default;
};

class PhaseOrder {
 public:
  explicit PhaseOrder(const std::vector<OrderedStep>& steps)
      : steps_(steps), dependents_(steps.size()), missing_(steps.size()), turn_(steps.size()), group_(steps.size()) {}

  std::vector<std::vector<std::uint32_t>> run() {
    for (std::uint32_t n = 0; n < steps_.size(); ++n) {
      missing_[n] = static_cast<std::uint32_t>(steps_[n].after.size());
      for (const std::uint32_t before : steps_[n].after) dependents_[before].push_back(n);
    }
    for (std::uint32_t n = 0; n < steps_.size(); ++n)
      if (is_copy(n) && missing_[n] == 0) ready_.push_back(n);
    release();
    for (std::uint32_t n = 0; n < steps_.size(); ++n) {
      if (is_copy(n)) continue;
      Turn needed;
      for (const std::uint32_t before : steps_[n].after)
        if (waits(before)) needed = std::max(needed, turn_[before]);
      run_copies_until(needed);
      add_group({n}, Kind::kOther);
      done(n);
      release();
    }
    run_copies_until({~0u, ~0u});
    make_late();
    return collected();
  }

 private:
  bool is_copy(std::uint32_t n) const { return steps_[n].kind != Kind::kOther; }
  bool waits(std::uint32_t n) const { return is_copy(n) && group_[n] == 0; }

  void done(std::uint32_t n) {
    for (const std::uint32_t next : dependents_[n])
      if (--missing_[next] == 0 && is_copy(next)) ready_.push_back(next);
  }

  // Gives copies of which all that they depend on has a turn theirs.
  void release() {
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      const std::uint32_t n = ready_[i];
      const bool traffic = steps_[n].kind == Kind::kTraffic;
      Turn turn = traffic ? Turn{phases_ + 1, 0} : Turn{phases_, 1};
      for (const std::uint32_t before : steps_[n].after) {
        if (!waits(before)) continue;
        const Turn& last = turn_[before];
        turn = std::max(turn, traffic ? Turn{last.phase + 1, 0} : Turn{last.phase, last.local + 1});
      }
      turn_[n] = turn;
      waiting_[turn].push_back(n);
      done(n);
    }
    ready_.clear();
  }

  void run_copies_until(const Turn& last) {
    while (!waiting_.empty() && waiting_.begin()->first <= last) {
      const auto first = waiting_.begin();
      phases_ = std::max(phases_, first->first.phase);
      add_group(first->second, first->first.local == 0 ? Kind::kTraffic : Kind::kLocal);
      waiting_.erase(first);
    }
  }

  // Groups count from 1.
  void add_group(const std::vector<std::uint32_t>& members, Kind kind) {
    kinds_.push_back(kind);
    const auto number = static_cast<std::uint32_t>(kinds_.size());
    for (const std::uint32_t n : members) group_[n] = number;
  }

  // Groups that come before group `limit`; the last that a copy of this kind may join. It has one already.
  static std::uint32_t last_before(const std::vector<std::uint32_t>& groups, std::uint32_t limit) {
    return *(std::lower_bound(groups.begin(), groups.end(), limit) - 1);
  }

  void make_late() {
    const auto groups = static_cast<std::uint32_t>(kinds_.size());
    std::vector<std::uint32_t> phases, copies;                 // groups, ascending
    std::vector<std::uint32_t> other(groups + 2, groups + 1);  // by group: the next one that is no copy
    for (std::uint32_t g = groups; g > 0; --g) other[g] = kinds_[g - 1] == Kind::kOther ? g : other[g + 1];
    for (std::uint32_t g = 1; g <= groups; ++g) {
      if (kinds_[g - 1] == Kind::kTraffic) phases.push_back(g);
      if (kinds_[g - 1] != Kind::kOther) copies.push_back(g);
    }
    for (auto n = static_cast<std::uint32_t>(steps_.size()); n-- > 0;) {
      if (!is_copy(n)) continue;
      std::uint32_t limit = steps_[n].reads_buffers ? other[group_[n]] : groups + 1;
      for (const std::uint32_t next : dependents_[n]) limit = std::min(limit, group_[next]);
      group_[n] = last_before(steps_[n].kind == Kind::kTraffic ? phases : copies, limit);
    }
  }

  std::vector<std::vector<std::uint32_t>> collected() const {
    std::vector<std::vector<std::uint32_t>> groups(kinds_.size());
    for (std::uint32_t n = 0; n < steps_.size(); ++n) groups[group_[n] - 1].push_back(n);
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
  }

  const std::vector<OrderedStep>& steps_;
  std::vector<std::vector<std::uint32_t>> dependents_;
  std::vector<std::uint32_t> missing_;  // steps that it depends on and that have no turn yet
  std::vector<Turn> turn_;
  std::vector<std::uint32_t> group_;  // 0: none yet
  std::vector<std::uint32_t> ready_;
  std::map<Turn, std::vector<std::uint32_t>> waiting_;
  std::vector<Kind> kinds_;  // of groups
  std::uint32_t phases_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> order_phases(const std::vector<OrderedStep>& steps) {
  return PhaseOrder(steps).run();
}

}  // namespace tessera::compiler
