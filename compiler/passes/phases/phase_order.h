// In what order the steps between two fences run so that copies meet in few exchange phases.
//
// A copy may run anywhere between the steps that it depends on and the steps that depend on it. Copies wait until a
// step needs one of them; then all that are ready run with it, which makes the least number of phases where no copy
// depends on another. After that each goes as late as it can without a phase more, so that what it writes takes memory
// only when it is needed; a copy that reads a buffer stays, so that the buffer is free soon.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::compiler {

struct OrderedStep {
  enum class Kind : std::uint8_t {
    kOther,    // stands where it stands
    kLocal,    // a copy inside tiles: takes no phase
    kTraffic,  // a copy between tiles
  };
  Kind kind = Kind::kOther;
  bool reads_buffers = false;
  std::vector<std::uint32_t> after;  // steps before it that it depends on
};

// Groups of steps in the order in which they run: one step that is no copy, or copies that run together.
std::vector<std::vector<std::uint32_t>> order_phases(const std::vector<OrderedStep>& steps);

}  // namespace tessera::compiler
