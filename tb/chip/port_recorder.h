// Keeps what the tiles of an instanced chip show on their ports in every cycle, and compares a flat chip with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flat_chip.h"
#include "sim/engine/chip_engine.h"

namespace tessera::test {

template <class Engine>
class PortRecorder : public chip::PortProbe {
 public:
  explicit PortRecorder(Engine& engine) : engine_(engine), tiles_(engine.machine().tiles()) { add(0); }
  bool wanted(uint64_t) const override { return true; }
  void stepped(uint64_t cycle) override { add(cycle + 1); }
  // Ports of all tiles in `cycle`; calls with ascending cycles.
  const PackedOutputs* at(uint64_t cycle) {
    while (next_ + 1 < cycles_.size() && cycles_[next_ + 1] <= cycle) ++next_;
    return &ports_[next_ * tiles_];
  }

 private:
  void add(uint64_t cycle) {
    cycles_.push_back(cycle);
    for (unsigned t = 0; t < tiles_; ++t) ports_.push_back(pack(engine_.outputs(t)));
  }
  Engine& engine_;
  unsigned tiles_;
  size_t next_ = 0;
  std::vector<uint64_t> cycles_;
  std::vector<PackedOutputs> ports_;
};

// Watches a flat chip from its first cycle on.
class PortComparison {
 public:
  template <class Recorder>
  PortComparison(FlatChip& flat, Recorder& recorder, unsigned tiles) {
    flat.watch([this, &flat, &recorder, tiles](uint64_t cycle) {
      const PackedOutputs* expected = recorder.at(cycle);
      for (unsigned t = 0; t < tiles; ++t)
        if (flat.outputs(t) != expected[t] && different_++ == 0)
          first_ = "first difference in cycle " + std::to_string(cycle) + " at tile " + std::to_string(t);
      ++compared_;
      changes_ += flat.outputs(0) != last_;
      last_ = flat.outputs(0);
    });
  }
  uint64_t different() const { return different_; }
  uint64_t compared() const { return compared_; }  // cycles
  uint64_t changes() const { return changes_; }    // cycles in which tile 0's ports changed: not all was quiet
  const std::string& first_difference() const { return first_; }

 private:
  uint64_t different_ = 0, compared_ = 0, changes_ = 0;
  PackedOutputs last_{};
  std::string first_;
};

}  // namespace tessera::test
