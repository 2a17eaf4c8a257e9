// Straight-line random instructions of a context: every instruction that neither jumps nor belongs to the system part.
#pragma once

#include "random.h"
#include "tb/lockstep/program.h"

namespace tessera::test {

struct MixOptions {
  bool worker = false;
  bool memory = true;   // loads and stores in the data areas
  uint32_t rare = 400;  // one instruction in so many may except (float trap enables, bad CSR, stack limit ...); 0: none
};

// Appends one random instruction, or a few that belong together.
void add_random_instruction(Program&, Random&, const MixOptions&);
// Random values for the registers that instructions use, and the bases of the data areas.
void add_register_setup(Program&, Random&, const MixOptions&);

}  // namespace tessera::test
