// A chip with a past. For who uses it it is the chip that it holds, cycle for cycle; what comes to that chip from
// outside is written to a journal, and snapshots are taken on the way, so that any cycle of the past can be gone to.
//
// The forward run goes in segments. Snapshots are taken at superstep boundaries, or within long supersteps, once so
// many cycles have passed since the last. Snapshots, journal and the list of supersteps hold at most Keeps::memory:
// first snapshots are thinned out, the further back the more, and the first one stays, so that all of the past can be
// gone to; when the journal has outgrown half of the memory the oldest past is forgotten (oldest()).
//
// The chip stands at the frontier, or in the past, or is spoiled by a scratch. Only at the frontier does it talk to the
// client's host memory and observers, and only then is anything added to what is recorded.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "inspect/run.h"
#include "inspect/snapshot_store.h"
#include "rtl/spec/link_tables.h"
#include "sim/port/forwarding_chip.h"
#include "sim/port/journal.h"
#include "sim/port/lockstep_difference.h"
#include "sim/port/observer_fan.h"

namespace tessera::inspect {

class Recording : public chip::ForwardingChip, private chip::HostBus {
 public:
  using Boundary = Run::Boundary;
  struct Keeps {
    bool snapshots = true;       // false: the past cannot be gone to
    size_t memory = 0;           // bytes
    bool whole_journal = false;  // from the reset on, whatever memory it takes: it is done again to another chip
  };

  Recording(std::unique_ptr<chip::Chip> chip, const Keeps& keeps);
  ~Recording() override;

  // The client's.
  void attach(chip::HostBus* bus) override { bus_ = bus; }
  void observe(chip::Observer* observer) override;
  void mark(uint64_t cycle, uint16_t value) override;
  void debug_write(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data) override;
  uint32_t debug_read(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address) override;
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override;
  void reset() override;
  void join(uint32_t chip, const spec::LinkTables&, chip::Grouped grouped) override;
  void group_answer(uint64_t cycle, bool consensus) override;
  void link_in(const chip::LinkEvent& event) override;
  std::vector<chip::LinkEvent> link_out() override;
  // Tells another chip what this one was told of its system, if it is in one.
  void join_likewise(chip::Chip& other) const;
  // Its state is the recording's own: what the client put there would be in no journal.
  void stop_at_superstep(uint64_t index) override { Chip::stop_at_superstep(index); }
  std::shared_ptr<const chip::Snapshot> snapshot() const override { return Chip::snapshot(); }
  void restore(const chip::Snapshot& snapshot) override { Chip::restore(snapshot); }
  chip::Checkpoint checkpoint() override { return Chip::checkpoint(); }
  void put(const chip::Checkpoint& checkpoint) override { Chip::put(checkpoint); }
  void flip(const chip::Flip& flip) override { Chip::flip(flip); }

  // Forward. run() alone notes no supersteps and takes no snapshots.
  bool keeps_snapshots() const { return keeps_.snapshots && has_past_; }
  bool begun() const { return begun_; }  // segments have been run since the reset
  // Observers of the forward run beside the client's; not owned. noted: supersteps are.
  void watch(const std::vector<chip::Observer*>& observers, bool noted);
  // Before the first segment, and before going on after the client did something.
  void resume(const Part::Needs& wanted);
  struct Segment {
    chip::Stop stop;
    bool cut;  // ended for what was wanted, not for the client
  };
  // To the next superstep if wanted, and no further than the next snapshot is due or `wanted` says.
  Segment segment(uint64_t limit, uint64_t budget, const Part::Needs& wanted);
  void host_has_seen() { host_seen_ = chip_->cycle(); }  // the client is told of all up to now

  // The past: as Run says.
  chip::Chip& held() { return *chip_; }
  uint64_t frontier() const;
  uint64_t oldest() const;
  Boundary boundary_before(uint64_t cycle) const;
  void go_to(uint64_t cycle);
  void replay(uint64_t cycle, chip::Observer* observer);
  std::unique_ptr<Run::Scratch> scratch();
  bool change(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data);
  // Two chips in lockstep are of no use after a difference: the frontier becomes the cycle of it, where both still
  // agreed, and the chip stands there. False: that cycle cannot be gone to.
  bool stand_at_difference(const chip::Difference& difference);
  struct Return {  // brings the chip back to the frontier at its end, whatever happens
    explicit Return(Recording& recording) : recording(recording) {}
    ~Return() { recording.back_to_frontier(); }
    Recording& recording;
  };

  const chip::Journal& journal() const { return journal_; }
  size_t snapshots() const { return snapshots_.size(); }

 private:
  // Notes where supersteps begin; wants nothing else.
  struct BoundaryNotes : chip::Observer {
    bool wants(unsigned) const override { return false; }
    void superstep(uint64_t index, uint64_t cycle) override { note({cycle, index + 1}); }
    void note(Boundary b) {
      if (list.empty() || list.back().superstep < b.superstep) list.push_back(b);
    }
    std::vector<Boundary> list;
  };
  class Aside;
  enum class Mode : uint8_t { kFrontier, kPast, kScratch };

  bool reaches(uint64_t cycle, uint32_t host_address, size_t words, bool write) override;
  void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) override;
  uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) override;
  bool remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) override;
  void remote_write(uint64_t cycle, unsigned tile, uint64_t address, std::span<const uint32_t> words) override;
  uint64_t remote_read(uint64_t cycle, unsigned tile, uint64_t address, std::span<uint32_t> words) override;
  uint64_t answered(uint64_t cycle, uint64_t arrival, std::span<const uint32_t> words);

  bool journaling() const { return keeps_.whole_journal || !snapshots_.empty(); }
  void seen(uint64_t before) { host_seen_ = std::max(host_seen_, before); }
  void show();                             // the observers of the forward run see the chip
  uint64_t due(const Part::Needs&) const;  // cycle of the next snapshot
  bool snapshot_due(const Part::Needs&) const;
  void take_snapshot();
  void keep_within_memory();
  void leave_frontier();
  void back_to_frontier();
  void need_past() const;
  void run_to(uint64_t cycle);

  const Keeps keeps_;
  bool has_past_ = false;  // the chip gives snapshots and stops at supersteps
  bool begun_ = false;
  chip::HostBus* bus_ = nullptr;
  chip::Observer* client_observer_ = nullptr;
  std::vector<chip::Observer*> observers_;  // all of the forward run
  chip::ObserverFan fan_;
  BoundaryNotes boundaries_;
  chip::Journal journal_;
  SnapshotStore snapshots_;
  struct Joined {
    uint32_t chip;
    spec::LinkTables tables;
    chip::Grouped grouped;
  };
  std::optional<Joined> joined_;
  uint64_t host_seen_ = 0;  // what came before this cycle the host may have seen, or another chip

  Mode mode_ = Mode::kFrontier;
  std::shared_ptr<const chip::Snapshot> live_;  // the frontier, while the chip is elsewhere
  chip::Journal::Place place_;                  // of the chip, while it is in the past
  uint64_t frontier_ = 0;                       // while it is elsewhere
};

}  // namespace tessera::inspect
