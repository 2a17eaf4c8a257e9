// Records the cycle and the hash of all tile memories at every internal acknowledgement.
#pragma once

#include <utility>
#include <vector>

#include "inspect/memory_shadow.h"
#include "sim/port/chip.h"
#include "sim/port/superstep_record.h"

namespace tessera::inspect {

class SuperstepRecorder : public chip::Observer {
 public:
  explicit SuperstepRecorder(const spec::Machine& machine) : tiles_(machine.tiles()), memory_(machine) {}

  void reset() { memory_.clear(); }  // the chip is as after power-up

  void retire(unsigned tile, const chip::Retire& r) override {
    if (r.mem_write) memory_.write(tile, r.mem_address, r.mem_data, r.mem_strobe);
  }
  bool wants_records() const override { return false; }
  bool tiles_apart() const override { return true; }
  void stored(unsigned tile, uint32_t address, uint64_t data, uint8_t strobe) override {
    memory_.write(tile, address, data, strobe);
  }
  void port_write(unsigned tile, const chip::PortWrite& w) override { memory_.write_word(tile, w.address, w.data); }
  void debug_written(unsigned tile, uint64_t, chip::DebugSpace space, unsigned, uint32_t address,
                     uint32_t data) override {
    if (space != chip::DebugSpace::kMemory) return;
    const bool all = tile == chip::kNoTile;
    for (unsigned t = all ? 0 : tile; t < (all ? tiles_ : tile + 1); ++t) memory_.write_word(t, address & ~3u, data);
  }
  void superstep(uint64_t index, uint64_t cycle) override { records_.push_back({index, cycle, memory_.hash()}); }
  std::vector<chip::SuperstepRecord> take() { return std::exchange(records_, {}); }

 private:
  unsigned tiles_;
  MemoryShadow memory_;
  std::vector<chip::SuperstepRecord> records_;
};

}  // namespace tessera::inspect
