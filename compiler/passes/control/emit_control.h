// Emits each tile's control program: the code its supervisor runs from start to end (docs/reference/control.md).
//
// All tiles follow the same steps, so that they meet at every sync; what a tile has no part in is left out of its code.
// A tile without a part in a phase counts its sync and goes on (sans), but at some phases all meet. Equal sequences of
// steps are held once on each tile (outline.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/passes/control/assembler.h"
#include "compiler/passes/control/straight_code.h"
#include "compiler/passes/exchange/plan_exchange.h"
#include "compiler/passes/load_data.h"
#include "compiler/passes/optimisations.h"
#include "compiler/passes/text/link_text.h"
#include "compiler/passes/vertices/emit_state.h"

namespace tessera::compiler {

struct TileCode {
  ir::BlockId block = ir::kNone;  // kControl; the entry is its first instruction
  std::vector<std::uint32_t> words;
  std::vector<AddressFixup> fixups;
  std::vector<StepMark> marks;  // ascending
};

struct ControlCode {
  std::vector<std::string> steps;  // names; the first is that of the wait for the host
  // Of each name but the first: the number of its first step, steps counted body by body. Those up to the next name's
  // are one step of the user's program.
  std::vector<std::uint32_t> first_steps{0};
  std::vector<std::vector<std::uint32_t>> host_phases;  // as HostLayout::phases
  std::vector<TileCode> tiles;
  LoadData data;  // of the words that control code keeps
};

// What control code is made from: the program and what the passes before have made of it.
struct ControlInput {
  const ir::Program& program;
  const Plans& plans;
  const std::vector<Schedule>& schedules;
  const Text& text;
  const State& state;
};

// Adds blocks for code and control data. `threads`: as in parallel.h.
ControlCode emit_control(const ControlInput& input, const Optimisations& optimise, ir::Blocks& blocks,
                         unsigned threads);

// The code of one tile, disassembled as at address 0, with the steps as headings.
std::string dump(const ControlCode& code, std::uint32_t tile);

}  // namespace tessera::compiler
