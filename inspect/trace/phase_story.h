// How a run's time divides into supersteps and phases: the chip's own account (chip/phase_account.h) kept from the
// events of its trace, so that both say the same. Of a trace that lacks tiles, their exchange and requests are unknown.
#pragma once

#include <optional>
#include <vector>

#include "inspect/trace/event.h"
#include "sim/port/phase_account.h"

namespace tessera::inspect::trace {

struct PhaseCycles {
  uint64_t compute = 0, sync = 0, exchange = 0, transfer = 0, host = 0;
  uint64_t total() const { return compute + sync + exchange + transfer + host; }
  bool operator==(const PhaseCycles&) const = default;
};

struct SuperstepTimes {
  uint64_t index = 0;
  uint64_t begin = 0, end = 0;  // cycles begin <= c < end
  PhaseCycles cycles;
  uint64_t retired = 0;
  uint32_t slowest = chip::kNoTile;  // the lowest tile whose request came last; none: nobody requested a sync
  uint64_t last_request = 0;
};

struct Phase {
  enum class Kind : uint8_t { kExchange, kTransfer, kCompute, kSync, kHost } kind = Kind::kCompute;
  uint64_t begin = 0, end = 0;
};
const char* name_of(Phase::Kind);

class PhaseStory {
 public:
  // The trace begins in `first_cycle` of superstep `first_superstep`.
  PhaseStory(uint64_t first_cycle, uint64_t first_superstep);

  void add(const Event&);  // in order of time; other kinds are ignored
  // No more will come; the chip stood at `cycle`.
  void end(uint64_t cycle);

  const std::vector<SuperstepTimes>& supersteps() const { return supersteps_; }  // the last one may be unfinished
  const std::vector<Phase>& phases() const { return phases_; }                   // in order, without gaps
  PhaseCycles total() const { return total_; }
  uint64_t cycle() const { return cycle_; }

 private:
  void settle(uint64_t cycle);
  void settle_arrival(uint64_t before);
  void transferring(uint64_t cycle);
  void report(uint64_t cycle, uint64_t waiting_since, SuperstepTimes&);
  void phase(Phase::Kind, uint64_t end);
  void until(uint64_t cycle);

  chip::PhaseAccount account_;
  uint64_t first_cycle_, cycle_, exchange_end_ = 0, transfer_end_ = 0;
  std::vector<uint8_t> exchanging_;  // by tile
  SuperstepTimes now_;
  PhaseCycles total_;
  uint64_t request_ = 0, host_request_ = 0;  // the last since the last acknowledgement
  bool host_waits_ = false;
  std::optional<uint64_t> arrival_;  // of the last word, that is not in the account yet
  std::vector<SuperstepTimes> supersteps_;
  std::vector<Phase> phases_;
};

}  // namespace tessera::inspect::trace
