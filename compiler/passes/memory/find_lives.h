// From which point of a program (program_points.h) to which each block holds something that may still be wanted: blocks
// that never do at the same point may share memory.
//
// Programs run in any order and any number of times. What one may read before it has overwritten it is wanted while the
// host is waited for; so is what handles of the host may read, which are programs of their own. The calls of a function
// are not told apart. Careful is: a block written in parts by several points is never overwritten whole, a vertex's
// output counts as overwritten unless the load, a copy or the host gives it a value anywhere (then the vertex may mean
// to read it), what a vertex reads it reads all of. Nobody keeps the contents of what is read before anything was
// written.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/exchange/plan_exchange.h"
#include "compiler/passes/memory/program_points.h"

namespace tessera::compiler {

// Points, both ends included.
struct Interval {
  std::uint32_t first = 0, last = 0;
  auto operator<=>(const Interval&) const = default;
};
using Life = std::vector<Interval>;  // ascending, neither overlapping nor touching

struct Lives {
  ProgramPoints points;
  // The different lives: first that of what lives always, then in the order of the blocks that have them.
  std::vector<Life> lives;
  std::vector<std::uint32_t> of_block;  // of `lives`; blocks that come later live always

  std::uint32_t number_of(ir::BlockId block) const { return block < of_block.size() ? of_block[block] : 0; }
  const Life& of(ir::BlockId block) const { return lives[number_of(block)]; }
};

// Of variables and buffers; all else lives always, and so do variables without `share_memory`. `blocks` are those of
// the program and the staging buffers of its exchanges.
Lives find_lives(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks, bool share_memory,
                 unsigned threads = 1);

bool meet(const Life& a, const Life& b);

// What happens at a point: the name of its step.
std::string name_of_point(const ir::Program& program, const ProgramPoints& points, std::uint32_t point);

// One line a block that does not live always: "0:3 [5,9] [12,12]", tile:block and points.
std::string dump(const Lives& lives, const ir::Blocks& blocks);

}  // namespace tessera::compiler
