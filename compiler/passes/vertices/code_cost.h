// What code takes, from its instructions: how many issue slots are spent once, and how many in each turn of a loop. A
// worker issues one instruction a slot and never waits (docs/reference/tile.md), so slots are time.
//
// It is an estimate: both sides of a branch count, and a loop is a branch backwards.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/passes/text/link_text.h"

namespace tessera::compiler {

struct CodeCost {
  // Loops that hold no other one, by address; those whose turns the code itself tells are part of what is around them.
  struct Loop {
    std::uint64_t slots = 0;  // of a turn
    std::uint32_t bytes = 0;  // by which a turn moves its pointers on, 0 if that cannot be seen
    bool operator==(const Loop&) const = default;
  };
  std::uint64_t once = 0;   // slots outside of loops
  std::uint64_t outer = 0;  // slots of a turn of the loops around others, together
  std::vector<Loop> loops;
  bool operator==(const CodeCost&) const = default;
};

// Of the function at that address, with the functions that it calls.
CodeCost code_cost(const Text& text, std::uint32_t entry);

}  // namespace tessera::compiler
