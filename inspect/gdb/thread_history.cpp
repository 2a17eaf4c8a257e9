#include "inspect/gdb/thread_history.h"

#include <algorithm>

#include "inspect/frozen_view.h"
#include "inspect/gdb/finder.h"

namespace tessera::inspect::gdb {
namespace {

constexpr unsigned kRegisters = 32;

}  // namespace

struct ThreadHistory::Watcher : chip::Observer {
  explicit Watcher(ThreadHistory& history) : history(history) {}
  ThreadHistory& history;

  bool wants(unsigned tile) const override { return tile == history.thread_.tile; }
  void retire(unsigned tile, const chip::Retire& r) override {
    if (tile != history.thread_.tile || r.context != history.thread_.context || r.cycle < history.begin_ ||
        r.cycle >= history.end_)
      return;
    history.pcs_.push_back({r.cycle, r.pc});
    const auto set = [&](bool is_float, unsigned number, uint64_t data) {
      if (is_float)
        history.f_[number].push_back({r.cycle, data});
      else if (number != 0)
        history.x_[number].push_back({r.cycle, static_cast<uint32_t>(data)});
    };
    if (r.base_write) set(r.base_float, r.base, r.base_data);
    if (r.reg_write) set(r.reg_float, r.reg, r.reg_data);
    if (r.pair_write) set(true, (r.reg + 1u) & 31, r.pair_data);
  }
  void debug_written(unsigned, uint64_t, chip::DebugSpace, unsigned, uint32_t, uint32_t) override {
    history.disturbed_ = true;
  }
};

void ThreadHistory::record(Run& run, Thread thread, uint64_t begin, uint64_t end) {
  forget();
  thread_ = thread;
  begin_ = begin;
  end_ = end;
  {
    FrozenView view(run, begin);
    for (unsigned n = 0; n < kRegisters; ++n) {
      x_[n] = {{0, view.x(thread.tile, thread.context, n)}};
      if (thread.context != 0) f_[n] = {{0, view.f(thread.tile, thread.context, n)}};
    }
  }
  run.go_to(begin);
  Watcher watcher(*this);
  run.replay(std::min(end + kRecordDelay, run.frontier()), &watcher);
  known_ = true;
}

std::optional<uint64_t> ThreadHistory::last_before(uint64_t cycle) const {
  const auto after =
      std::partition_point(pcs_.begin(), pcs_.end(), [&](const Change& change) { return change.cycle < cycle; });
  return after == pcs_.begin() ? std::nullopt : std::optional(std::prev(after)->cycle);
}

std::optional<uint64_t> ThreadHistory::value(Thread thread, const Register& r, uint64_t cycle) const {
  if (!covers(thread, cycle + 1) || disturbed_) return std::nullopt;
  if (r.kind == Register::Kind::kPc) {
    const auto next =
        std::partition_point(pcs_.begin(), pcs_.end(), [&](const Change& change) { return change.cycle < cycle; });
    return next == pcs_.end() ? std::nullopt : std::optional(next->value);
  }
  if (r.kind != Register::Kind::kInteger && r.kind != Register::Kind::kFloat) return std::nullopt;
  const auto& all = r.kind == Register::Kind::kInteger ? x_ : f_;
  const auto of = all.find(r.number);
  if (of == all.end()) return std::nullopt;
  const auto after = std::partition_point(of->second.begin() + 1, of->second.end(),
                                          [&](const Change& change) { return change.cycle < cycle; });
  return std::prev(after)->value;
}

}  // namespace tessera::inspect::gdb
