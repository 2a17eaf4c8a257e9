// What a fake chip does, step by step: four words each, what, a, b, c, from the start of tile 0's memory. A step takes
// kStepCycles.
#pragma once

#include <cstdint>

namespace tessera::test {

constexpr uint64_t kStepCycles = 10;

enum class Step : uint32_t {
  kHalt,       // every tile halted
  kHostWrite,  // b words from tile memory c to host address a
  kHostRead,   // b words from host address a to tile memory c
  kHostSync,   // the mark is written to tile memory a
  kSpin,       // runs until the process is killed
  kExcept,     // exception of cause a on tile b
  kDeadlock,
  kBudget,
  kDie,    // the process aborts
  kAgain,  // from the first step again, in the next cycle
};

}  // namespace tessera::test
