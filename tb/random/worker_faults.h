// Worker code that most likely raises an exception of the arithmetic extension: float traps, addresses, clashes, bodies
// of repeats that hold what they must not.
#pragma once

#include "instruction_mix.h"

namespace tessera::test {

void add_worker_fault(Program&, Random&, const MixOptions&);

}  // namespace tessera::test
