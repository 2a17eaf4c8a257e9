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

  bool wants(unsigned tile) const override { return tile == history.tile_; }
  void retire(unsigned tile, const chip::Retire& r) override {
    if (tile != history.tile_ || r.cycle < history.begin_ || r.cycle >= history.end_) return;
    if (r.mem_write) history.writes_.push_back({r.cycle, r.mem_address, r.mem_data, r.mem_strobe});
    if (r.context != history.thread_.context) return;
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
  void port_write(unsigned tile, const chip::PortWrite& w) override {
    if (tile == history.tile_) history.arrived_.push_back(w.address);
  }
  void debug_written(unsigned, uint64_t, chip::DebugSpace, unsigned, uint32_t, uint32_t) override {
    history.disturbed_ = true;
  }
};

void ThreadHistory::record(Target& target, Thread thread, uint64_t begin, uint64_t end) {
  forget();
  const Target::OnChip at = target.of(thread.tile);
  thread_ = thread;
  tile_ = at.tile;
  begin_ = begin;
  end_ = end;
  {
    FrozenView view(at.run, Target::within(at.run, begin));
    for (unsigned n = 0; n < kRegisters; ++n) {
      x_[n] = {{0, view.x(tile_, thread.context, n)}};
      if (thread.context != 0) f_[n] = {{0, view.f(tile_, thread.context, n)}};
    }
  }
  at.run.go_to(Target::within(at.run, begin));
  Watcher watcher(*this);
  at.run.replay(Target::within(at.run, end + kRecordDelay), &watcher);
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

bool ThreadHistory::read(Target& target, unsigned tile, uint64_t cycle, uint32_t address, std::span<uint8_t> bytes,
                         const std::function<void()>& moving) {
  if (tile != thread_.tile || !covers(thread_, cycle + 1) || disturbed_ || bytes.empty()) return false;
  const auto end = address + static_cast<uint32_t>(bytes.size());
  // When exactly such a word can be seen is for a view to say.
  if (std::ranges::any_of(arrived_, [&](uint32_t at) { return at < end && address < at + 4; })) return false;
  std::optional<FrozenView> view;
  for (uint32_t block = address / kBlockBytes; block <= (end - 1) / kBlockBytes; ++block) {
    const auto [at, fresh] = blocks_.try_emplace(block);
    if (!fresh) continue;
    if (!view) {
      moving();
      const Run& run = target.of(tile).run;
      view.emplace(target.of(tile).run, Target::within(run, begin_));
    }
    view->read(tile_, block * kBlockBytes, at->second);
  }
  for (uint32_t at = address; at < end; ++at) bytes[at - address] = blocks_[at / kBlockBytes][at % kBlockBytes];
  for (const Write& w : writes_) {
    if (w.cycle >= cycle) break;
    for (uint32_t lane = 0; lane < 8; ++lane)
      if ((w.strobe >> lane & 1) && w.address + lane >= address && w.address + lane < end)
        bytes[w.address + lane - address] = static_cast<uint8_t>(w.data >> (8 * lane));
  }
  return true;
}

}  // namespace tessera::inspect::gdb
