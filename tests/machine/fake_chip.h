// A chip for testing what stands around chips: no tiles inside, only memories, and the steps of fake_steps.h.
#pragma once

#include <map>

#include "fake_steps.h"
#include "rtl/spec/machine.h"
#include "sim/port/chip.h"

namespace tessera::test {

class FakeChip : public chip::Chip {
 public:
  explicit FakeChip(const spec::Machine& machine) : machine_(machine) {}

  const spec::Machine& machine() const override { return machine_; }
  uint64_t cycle() const override { return cycle_; }
  void attach(chip::HostBus* bus) override { bus_ = bus; }
  void observe(chip::Observer* observer) override { observer_ = observer; }
  chip::Stop run(uint64_t limit, uint64_t budget) override;
  void mark(uint64_t cycle, uint16_t value) override;
  void debug_write(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data) override;
  uint32_t debug_read(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address) override;
  bool access_refused() const override { return false; }  // its tiles have always settled
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override;
  chip::ExceptionStatus exception(unsigned tile) const override;
  std::vector<chip::TileWait> waits() const override;
  chip::Counters counters() const override { return {.cycles = cycle_, .supersteps = supersteps_}; }
  uint64_t memory_hash() const override;
  void reset() override;

  std::vector<std::pair<uint64_t, uint16_t>> marks;  // cycle and value of every mark
  std::vector<uint64_t> arrivals;                    // of every host read

 private:
  uint32_t& word(unsigned tile, uint32_t address);

  spec::Machine machine_;
  chip::HostBus* bus_ = nullptr;
  chip::Observer* observer_ = nullptr;
  std::map<std::pair<unsigned, uint32_t>, uint32_t> memory_;
  std::map<unsigned, chip::ExceptionStatus> exceptions_;
  uint64_t cycle_ = 0, supersteps_ = 0;
  uint32_t step_ = 0;
};

}  // namespace tessera::test
