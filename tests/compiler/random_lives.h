// Random programs, and what of their memory is in use at the same time: found by running them, not by looking at their
// control flow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::test {

// Where copies go: from tile to tile, or inside tiles as a rule, whole variables to others or to parts of them.
enum class Copies { kFar, kNear };

// Copies, computations, host transfers, loops, branches and functions over some variables of 4 tiles.
ir::Program random_program(std::uint64_t seed, Copies copies = Copies::kFar);

// Memory that is allocated, first to last byte of data, against the most that random runs want at once.
struct MemoryUse {
  double mean = 0, worst = 0;  // over tiles, times that bound
  double of_apart = 0;         // of the memory if each variable and buffer had its own
  std::uint64_t tiles = 0;
  std::string overlap;  // two blocks that share memory and were live together; "": none
};
// Of random_program(1) to random_program(programs).
MemoryUse measure_memory(unsigned programs);

}  // namespace tessera::test
