// Random instructions with branches, jumps and loops among them.
#pragma once

#include "instruction_mix.h"

namespace tessera::test {

// Appends about `length` instructions; falls out at the end. Loops end by the counter register, jumps go forward.
void add_random_block(Program&, Random&, const MixOptions&, unsigned length);

}  // namespace tessera::test
