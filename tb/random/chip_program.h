// Random programs for a whole chip: every tile computes, then exchanges by a random schedule that fits the latencies of
// the machine, superstep after superstep, now and then with a host sync between; at the end each traps.
#pragma once

#include <cstdint>
#include <vector>

#include "program_generator.h"
#include "rtl/spec/machine.h"

namespace tessera::test {

struct Expected {  // a word that arrives
  unsigned tile;
  uint32_t address, value;
};

struct RandomChipProgram {
  std::vector<std::vector<Image>> images;  // by tile
  std::vector<Expected> received;
  uint32_t entry = 0;
};

RandomChipProgram random_chip_program(uint64_t seed, const spec::Machine&, unsigned supersteps);

}  // namespace tessera::test
