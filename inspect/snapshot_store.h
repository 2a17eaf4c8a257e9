// Snapshots of a run, in order of time, within a bound of memory: the further back, the fewer are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/port/chip.h"
#include "sim/port/journal.h"

namespace tessera::inspect {

class SnapshotStore {
 public:
  struct Kept {
    std::shared_ptr<const chip::Snapshot> snapshot;
    uint64_t cycle = 0;
    chip::Journal::Place place;  // what comes from outside after it
  };

  // Later than all that are kept.
  void add(Kept kept) { kept_.push_back(std::move(kept)); }
  // Lets go of snapshots until they hold at most `bytes`, of those whose neighbours lie closest for their age. The
  // first and the last two stay.
  void thin_out(size_t bytes);
  void forget_first() { kept_.erase(kept_.begin()); }
  void forget_after(uint64_t cycle);
  void clear() { kept_.clear(); }

  bool empty() const { return kept_.empty(); }
  size_t size() const { return kept_.size(); }
  const Kept& first() const { return kept_.front(); }
  const Kept& second() const { return kept_.at(1); }
  const Kept& last() const { return kept_.back(); }
  const Kept* before(uint64_t cycle) const;  // the last with Kept::cycle <= cycle; null: none
  size_t bytes() const;

 private:
  std::vector<Kept> kept_;
};

}  // namespace tessera::inspect
