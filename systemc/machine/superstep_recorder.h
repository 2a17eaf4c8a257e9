// Records the cycle and the hash of all tile memories at every internal acknowledgement.
#pragma once

#include <utility>
#include <vector>

#include "chip/chip.h"
#include "machine/report.h"

namespace tessera::machine {

class SuperstepRecorder : public chip::Observer {
 public:
  explicit SuperstepRecorder(const chip::Chip& chip) : chip_(chip) {}

  void superstep(uint64_t index, uint64_t cycle) override { records_.push_back({index, cycle, chip_.memory_hash()}); }
  std::vector<SuperstepRecord> take() { return std::exchange(records_, {}); }

 private:
  const chip::Chip& chip_;
  std::vector<SuperstepRecord> records_;
};

}  // namespace tessera::machine
