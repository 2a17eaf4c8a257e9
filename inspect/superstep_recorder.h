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
  explicit SuperstepRecorder(const spec::Machine& machine) : memory_(machine) {}

  // What does not come from a tile: loads through the debug port, and the reset.
  MemoryShadow& memory() { return memory_; }

  void retire(unsigned tile, const chip::Retire& r) override {
    if (r.mem_write) memory_.write(tile, r.mem_address, r.mem_data, r.mem_strobe);
  }
  void port_write(unsigned tile, const chip::PortWrite& w) override { memory_.write_word(tile, w.address, w.data); }
  void superstep(uint64_t index, uint64_t cycle) override { records_.push_back({index, cycle, memory_.hash()}); }
  std::vector<chip::SuperstepRecord> take() { return std::exchange(records_, {}); }

 private:
  MemoryShadow memory_;
  std::vector<chip::SuperstepRecord> records_;
};

}  // namespace tessera::inspect
