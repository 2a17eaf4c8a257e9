// Finds steps of a tile's control code that are equal but for addresses and numbers that they load, and decides which
// are to be held once: as the body of a loop where such sequences follow each other, else as a subroutine. What differs
// between two executions is loaded from a table, which one register walks through (docs/reference/control.md).
//
// A sequence is held once only if code and table together become smaller and the supervisor takes no cycle more, or,
// with `smallest`, however many it takes.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/passes/control/straight_code.h"

namespace tessera::compiler {

struct OutlineItem {
  enum class Kind : std::uint8_t { kStep, kLoop, kCall };
  Kind kind = Kind::kStep;
  std::uint32_t key = 0;               // equal for equal items
  std::vector<std::uint32_t> steps{};  // kStep: the step of StraightCode that each activation of the sequence executes
  std::uint32_t sequence = 0;          // kLoop: its body; kCall: what is called
  std::uint32_t count = 0;             // kLoop: activation a of the sequence makes those from a * count on of the body
  std::uint32_t first_activation = 0;  // kCall: activation a makes this one + a of what is called
};

struct OutlineSequence {
  std::uint32_t activations = 1;  // executions, in all
  std::uint32_t height = 0;       // how deep loops and calls in it lie in each other
  std::vector<OutlineItem> items{};
};

struct Outline {
  std::vector<OutlineSequence> sequences;
  std::vector<std::uint32_t> roots;  // of each run: of sequences, executed as it stands
};

// Loops and calls that may lie in each other: each has a register.
constexpr std::uint32_t kMostOutlined = 9;

Outline outline(const StraightCode& code, bool smallest = false);

// Of the loads of a step: whether those of the steps, which are equal but for them, load different values.
std::vector<bool> varying_loads(const StraightCode& code, const std::vector<std::uint32_t>& steps);
// The first load of a step, of StraightCode::code.loads().
std::uint32_t first_load(const StraightCode& code, std::uint32_t step);

}  // namespace tessera::compiler
