// A chip in which faults happen. Everything else about it is the chip it holds: same time, same records, and with no
// faults the same run. Works on RTL, model and both in lockstep; a fault does the same to all of them.
//
// When a fault happens, to the cycle: docs/reference/faults.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "inspect/faults/fault_list.h"
#include "sim/port/forwarding_chip.h"
#include "sim/port/observer_fan.h"

namespace tessera::inspect {

class FaultyChip : public chip::ForwardingChip {
 public:
  using Tell = std::function<void(const std::string& line)>;
  // `tell` gets a line for each fault when it strikes, once in a run however often the past is gone through again, and
  // for each that has not when the run ends (reset, or the chip's end). Throws std::out_of_range when a fault is of no
  // place of the chip's machine.
  FaultyChip(std::unique_ptr<chip::Chip>, std::vector<Fault>, Tell tell = {});
  ~FaultyChip() override;

  // What became of each fault, in the order of the list: the cycle from which on the chip holds it; kNotYet. A fault of
  // a word is given the cycle from which on the chip waits for that word.
  static constexpr uint64_t kNotYet = ~0ull;
  const std::vector<uint64_t>& happened() const { return state_.happened; }

  chip::Stop run(uint64_t limit, uint64_t budget) override;
  void observe(chip::Observer* observer) override;
  void stop_at_superstep(uint64_t index) override { stop_at_ = index; }
  std::shared_ptr<const chip::Snapshot> snapshot() const override;
  void restore(const chip::Snapshot&) override;
  void put(const chip::Checkpoint&) override;
  void reset() override;

 private:
  // A fault of a register waits here for the end of an instruction of its context.
  struct Watch {
    size_t fault = 0;
    uint64_t from = 0;         // issued in this cycle or later
    uint64_t until = kNotYet;  // all that the instruction does is done
  };
  struct State {                // of the faults; part of a snapshot
    std::vector<uint64_t> due;  // by fault; kNotYet: its superstep has not begun
    std::vector<uint64_t> happened;
    std::vector<Watch> watches;
    uint64_t stood_at = 0;  // the superstep that run() returned kSuperstep for last
  };
  struct Stored;
  class Watcher : public chip::Observer {  // looks for the instructions that `watches` wait for
   public:
    explicit Watcher(FaultyChip& owner) : owner_(owner) {}
    void retire(unsigned tile, const chip::Retire&) override;
    void superstep(uint64_t index, uint64_t cycle) override;

   private:
    FaultyChip& owner_;
  };

  void begin();
  void begin_superstep(uint64_t index, uint64_t cycle);
  void make_due();
  void end_watches(bool all);
  void happen(size_t fault);
  void tell_struck(size_t fault);
  void tell_missed();
  uint64_t next_due() const;
  uint64_t next_superstep() const;
  uint64_t next_stop() const;
  bool goes_on(const chip::Stop&, uint64_t before, uint64_t limit) const;

  const std::vector<Fault> faults_;
  const Tell tell_;
  std::vector<bool> told_;  // by fault
  uint64_t last_ = 0;       // cycle in which the chip has stopped
  State state_;
  chip::Observer* observer_ = nullptr;
  uint64_t stop_at_ = kNoSuperstep;
  Watcher watcher_{*this};
  chip::ObserverFan fan_;  // the watcher and the observer
  bool boundary_ = false;  // a superstep has ended since end_watches()
};

std::unique_ptr<chip::Chip> make_faulty_chip(std::unique_ptr<chip::Chip>, std::vector<Fault>,
                                             FaultyChip::Tell tell = {});

}  // namespace tessera::inspect
