// Tells apart what exchanges move inside chips and what they move between them: before each step with such moves comes
// one of packets (StepKind::kPackets). What several tiles of a chip get from another chip comes to one of them and goes
// on from there.
#pragma once

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Afterwards moves of kCopy and kSwitch stay on their chip. A program of one chip is left as it is.
ir::Program split_chips(ir::Program program);

}  // namespace tessera::compiler
