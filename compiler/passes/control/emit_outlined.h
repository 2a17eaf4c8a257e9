// Emits the control code of a tile with its equal sequences held once (outline.h), and the table of what differs
// between their executions.
#pragma once

#include <vector>

#include "compiler/passes/control/outline.h"
#include "compiler/passes/control/straight_code.h"
#include "compiler/passes/load_data.h"

namespace tessera::compiler {

struct OutlinedCode {
  Assembler code;
  std::vector<StepMark> marks;
  std::uint32_t table_bytes = 0;
};

// `table`: the block of the table, whose content goes to `load`. Labels of the code are the same as before.
OutlinedCode emit_outlined(const StraightCode& code, const Outline& outline, ir::BlockId table, LoadData& load);

}  // namespace tessera::compiler
