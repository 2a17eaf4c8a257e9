// Straight-line random instructions of a context: every instruction that neither jumps nor belongs to the system part.
#pragma once

#include "layout.h"
#include "random.h"
#include "tb/lockstep/program.h"

namespace tessera::test {

struct MixOptions {
  bool worker = false;
  bool memory = true;     // loads and stores in the data areas
  bool standard = false;  // only what RISC-V defines, and no result that a clock or an identity enters
  uint32_t rare = 400;  // one instruction in so many may except (float trap enables, bad CSR, stack limit ...); 0: none
  uint32_t data0 = layout::kData0, data1 = layout::kData1;  // start of the data areas, of 2 * kDataBytes each
};

// Appends one random instruction, or a few that belong together.
void add_random_instruction(Program&, Random&, const MixOptions&);
// Random values for the registers that instructions use, and the bases of the data areas.
void add_register_setup(Program&, Random&, const MixOptions&);

}  // namespace tessera::test
