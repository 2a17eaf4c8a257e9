// Emits each tile's control program: the code its supervisor runs from start to end (docs/reference/control.md).
//
// All tiles follow the same steps, so that they meet at every sync; what a tile has no part in is left out of its code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/passes/assembler.h"
#include "compiler/passes/link_text.h"
#include "compiler/passes/lowered.h"

namespace tessera::compiler {

struct StepMark {
  std::uint32_t offset = 0;  // bytes into the code: where the step begins
  std::uint32_t step = 0;    // index into ControlCode's step names
};

struct TileCode {
  BlockId block = kNone;  // kControl; the entry is its first instruction
  std::vector<std::uint32_t> words;
  std::vector<AddressFixup> fixups;
  std::vector<StepMark> marks;  // ascending
};

struct ControlCode {
  std::vector<std::string> steps;
  std::vector<TileCode> tiles;
};

// Adds blocks for code and control data, and contents and pointers of the latter, to `lowered`.
ControlCode emit_control(const graph::Graph& graph, const Text& text, Lowered& lowered);

// The code of one tile, disassembled as at address 0, with the steps as headings.
std::string dump(const ControlCode& code, std::uint32_t tile);

}  // namespace tessera::compiler
