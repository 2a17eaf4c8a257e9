// A chip whose run is recorded: for its client it is the chip, cycle for cycle; for the parts that look inside it is a
// run whose past can be gone to. Joins the recording, which is the chip with its past, and the parts, which are told at
// boundaries of the forward run and asked when something went wrong.
//
// A snapshot is taken about every 100,000 cycles, or as options and parts say; how the past is kept: recording.h.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inspect/abandonment.h"
#include "inspect/difference_wave.h"
#include "inspect/part_slots.h"
#include "inspect/recording.h"
#include "inspect/run.h"

namespace tessera::inspect {

class RecordedRun : public chip::ForwardingChip, public Run {
 public:
  // Makes the parts at once. `options`: text form; throws as MakePart. `make_wave_chip`: of chips in lockstep, for a
  // wave of what they differ in. `place`: of the chip in its system.
  RecordedRun(std::unique_ptr<chip::Chip> chip, const std::string& options, MakePart make_part,
              MakeWaveChip make_wave_chip = {}, const spec::ChipPlace& place = {});

  // The client's.
  chip::Stop run(uint64_t limit, uint64_t budget) override;
  void reset() override;

  // The program of the next load, or of the one that is on the chip already.
  void set_program(names::ProgramInfo program, bool already_there);
  // What the parts that have begun since tell the user, a line each.
  std::string notice() { return parts_.notice(); }
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
  bool abandon() { return holds_files_ && abandonment_->tell(); }
  // It is told together with others: run() throws Abandoned at the next boundary. Before the first run.
  void abandon_with(std::shared_ptr<Abandonment> others) { abandonment_ = std::move(others); }
  // Descriptors of parts that are to be woken when they become readable, and doing so. None before the first run.
  std::vector<int> wake_descriptors() const;
  void wake(int descriptor);
  const std::string& options_text() const { return parts_.options_text(); }

  // Of a chip among others, whose runs end at rounds: whoever let it run is told of all up to now.
  void host_has_seen() { recording_.host_has_seen(); }
  // While it is there the run may be taken to its past; at its end it is brought back.
  using Visit = Recording::Return;
  std::unique_ptr<Visit> visit() { return std::make_unique<Visit>(recording_); }

  // The parts'.
  chip::Chip& chip() override { return recording_.held(); }
  const names::ProgramInfo& program() const override { return program_; }
  uint64_t position() const override { return cycle(); }
  uint64_t frontier() const override { return recording_.frontier(); }
  uint64_t oldest() const override { return recording_.oldest(); }
  Boundary boundary_before(uint64_t cycle) const override { return recording_.boundary_before(cycle); }
  std::optional<HostSync> host_sync_before(uint64_t cycle) const override {
    return recording_.journal().host_sync_before(cycle);
  }
  void go_to(uint64_t cycle) override { recording_.go_to(cycle); }
  void replay(uint64_t cycle, chip::Observer* observer) override { recording_.replay(cycle, observer); }
  std::unique_ptr<Scratch> scratch() override { return recording_.scratch(); }
  bool change(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data) override;
  void inspect(const std::string& options) override;
  bool abandoned() const override { return abandonment_->told(); }
  int abandoned_descriptor() const override { return abandonment_->descriptor(); }

  // For tests and figures.
  size_t snapshots() const { return recording_.snapshots(); }

 private:
  bool recorded() const { return recording_.keeps_snapshots() || !parts_.empty(); }
  Part::Needs needs() const;
  void watch();  // the parts' observers of the forward run
  chip::Stop run_segments(uint64_t limit, uint64_t budget);
  // True if a part has changed the past.
  bool tell_parts(const chip::Stop&, bool fresh_only);
  std::string ask_parts(const std::function<std::string(Part&)>& question);
  std::string tell_difference(const chip::LockstepDifference&);
  template <class Change>
  void change_parts(Change change);  // and watches what is left of them
  void finish_parts(const std::vector<PartKind>& kinds);

  PartSlots parts_;
  Recording& recording_;  // the chip that this one forwards to
  const MakeWaveChip make_wave_chip_;
  const spec::ChipPlace place_;
  const bool among_others_;
  names::ProgramInfo program_;
  bool told_of_program_ = true;  // parts know of the load to come
  bool changed_ = false;         // the past, by a part
  chip::Stop last_stop_;
  std::string explanation_;
  bool explained_ = true;
  std::atomic<bool> holds_files_{false};  // some part leaves a file; for another thread
  std::shared_ptr<Abandonment> abandonment_ = std::make_shared<Abandonment>();
};

}  // namespace tessera::inspect
