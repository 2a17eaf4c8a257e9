// The control code of a tile as it is emitted step by step: what outlining begins with.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/passes/control/assembler.h"

namespace tessera::compiler {

// An execution of code that is held once for several steps: `step` is run when the table register
// (names::kTableRegister) holds the address of `table`.
struct StepCall {
  ir::Place table;
  std::uint32_t step = 0;
};

struct StepMark {
  std::uint32_t offset = 0;       // bytes into the code: where the step begins
  std::uint32_t step = 0;         // index into ControlCode's step names
  std::vector<StepCall> calls{};  // none: it is this step always
};

// Words of a step that needs no other code than that of the steps before it: a copy may have loaded registers that
// start the workers of the compute step behind it. Code that is put between steps uses s2 to s11 alone.
struct StepCode {
  std::uint32_t first = 0, last = 0;              // words
  std::uint32_t first_label = 0, last_label = 0;  // made and bound there, used nowhere else
  std::uint32_t step = 0;                         // as in StepMark
  bool waits = false;  // for others only, who have more to do: an exchange phase that the tile has no part in
};

struct StraightCode {
  Assembler code;
  std::vector<StepCode> steps;                                // in order of their words
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;  // [first, last) of steps that follow each other
  std::vector<StepMark> marks;                                // ascending
};

}  // namespace tessera::compiler
