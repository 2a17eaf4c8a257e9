// A chip whose run is recorded: for its client it is the chip, cycle for cycle; for the parts that look inside it is a
// run whose past can be gone to.
//
// Snapshots are taken at superstep boundaries, or within long supersteps, once 100,000 cycles (or what options and
// parts say) have passed since the last. Snapshots, journal and the list of supersteps hold at most
// Options::snapshot_memory: first snapshots are thinned out, the further back the more, and the first one stays, so
// that all of the past can be gone to; when the journal has outgrown half of the memory the oldest past is forgotten
// (oldest()).
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "inspect/observer_fan.h"
#include "inspect/options.h"
#include "inspect/run.h"
#include "inspect/run_journal.h"
#include "inspect/snapshot_store.h"

namespace tessera::inspect {

// In the order in which they are called at a boundary: the debugger may stand there for long, so it comes last.
enum class PartKind : uint8_t { kWaves, kTrace, kFailure, kGdb };
constexpr size_t kPartKinds = 4;
// Null when the options ask for none. Throws BadOption or std::runtime_error, one line.
using MakePart = std::function<std::unique_ptr<Part>(PartKind, const Options&)>;

// The client went away in the middle of a run.
struct Abandoned : std::runtime_error {
  Abandoned() : std::runtime_error("the client is gone") {}
};

class RecordedRun : public chip::Chip, public Run, private chip::HostBus {
 public:
  // Makes the parts at once. `options`: text form; throws as MakePart.
  RecordedRun(std::unique_ptr<chip::Chip> chip, const std::string& options, MakePart make_part);
  ~RecordedRun() override;

  // The client's.
  const spec::Machine& machine() const override { return chip_->machine(); }
  uint64_t cycle() const override { return chip_->cycle(); }
  void attach(chip::HostBus* bus) override { bus_ = bus; }
  void observe(chip::Observer* observer) override;
  chip::Stop run(uint64_t limit, uint64_t budget) override;
  void mark(uint64_t cycle, uint16_t value) override;
  void debug_write(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data) override;
  uint32_t debug_read(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address) override;
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override;
  chip::ExceptionStatus exception(unsigned tile) const override { return chip_->exception(tile); }
  std::vector<chip::TileWait> waits() const override { return chip_->waits(); }
  chip::Counters counters() const override { return chip_->counters(); }
  uint64_t memory_hash() const override { return chip_->memory_hash(); }
  void reset() override;

  // The program of the next load, or of the one that is on the chip already.
  void set_program(names::ProgramInfo program, bool already_there);
  // What the parts say of the last stop; asked once, then remembered.
  std::string explain_failure();
  // The same of a check of the client's own that failed.
  std::string explain_check(const std::string& what, const std::vector<unsigned>& tiles);
  // Closes the files of waves and trace. Throws std::runtime_error when one is not whole; all are closed all the same.
  void finish();
  // The same for every part: no more will come.
  void finish_all();
  // From another thread: the client is gone. True: files must be closed first, so run() will throw Abandoned at the
  // next boundary; false: the process can end at once.
  bool abandon();
  // Descriptors of parts that are to be woken when they become readable, and doing so. None before the first run.
  std::vector<int> wake_descriptors() const;
  void wake(int descriptor);
  const std::string& options_text() const { return options_text_; }

  // The parts'.
  chip::Chip& chip() override { return *chip_; }
  const names::ProgramInfo& program() const override { return program_; }
  uint64_t position() const override { return chip_->cycle(); }
  uint64_t frontier() const override;
  uint64_t oldest() const override;
  Boundary boundary_before(uint64_t cycle) const override;
  void go_to(uint64_t cycle) override;
  void replay(uint64_t cycle, chip::Observer* observer) override;
  std::unique_ptr<Scratch> scratch() override;
  void change(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data) override;
  void inspect(const std::string& options) override;
  bool abandoned() const override;
  int abandoned_descriptor() const override { return abandoned_[0]; }

  // For tests and figures.
  size_t snapshots() const { return snapshots_.size(); }

 private:
  struct Slot {
    std::unique_ptr<Part> part;
    bool fresh = false;  // has not seen a boundary yet
  };
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
  struct Return {  // brings the chip back to the frontier at its end, whatever happens
    explicit Return(RecordedRun& run) : run(run) {}
    ~Return() { run.back_to_frontier(); }
    RecordedRun& run;
  };
  enum class Mode : uint8_t { kLive, kPast, kScratch };

  void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) override;
  uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) override;

  bool recording() const;
  bool leaves_files() const;
  Part::Needs needs() const;
  void watch();  // the observers of the forward run
  chip::Stop run_segment(uint64_t limit, uint64_t budget, const Part::Needs&);
  uint64_t due(const Part::Needs&) const;  // cycle of the next snapshot
  bool snapshot_due(const Part::Needs&) const;
  void take_snapshot();
  void keep_within_memory();
  // True if a part has changed the past.
  bool tell_parts(const chip::Stop&, bool fresh_only);
  std::string ask_parts(const std::function<std::string(Part&)>& question);
  std::string tell_difference(const chip::LockstepDifference&);
  void leave_frontier();
  void back_to_frontier();
  void need_past() const;
  void run_to(uint64_t cycle);
  void make_part(PartKind kind);
  void finish_parts(const std::vector<PartKind>& kinds);
  void forget_options_of(const std::vector<PartKind>& kinds);

  std::unique_ptr<chip::Chip> chip_;
  MakePart make_part_;
  std::string options_text_;
  Options options_;
  bool has_past_ = false;  // the chip gives snapshots and stops at supersteps
  std::array<Slot, kPartKinds> slots_;
  chip::HostBus* bus_ = nullptr;
  chip::Observer* client_observer_ = nullptr;
  BoundaryNotes boundaries_;
  ObserverFan fan_;
  names::ProgramInfo program_;
  bool told_of_program_ = true;  // parts know of the load to come

  RunJournal journal_;
  SnapshotStore snapshots_;
  bool started_ = false, changed_ = false;
  uint64_t host_seen_ = 0;  // what came before this cycle the host may have seen
  chip::Stop last_stop_;
  std::string explanation_;
  bool explained_ = true;

  Mode mode_ = Mode::kLive;
  std::shared_ptr<const chip::Snapshot> live_;  // the frontier, while the chip is in the past
  RunJournal::Place place_;                     // of the chip, while it is in the past
  uint64_t frontier_ = 0;                       // while it is in the past
  std::atomic<bool> holds_files_{false};        // leaves_files(), for another thread
  int abandoned_[2] = {-1, -1};                 // pipe: something to read when the client is gone
};

}  // namespace tessera::inspect
