// How many buffers may be in use at one time when phases have moved. Part of merge_phases().
//
// allocate() lays buffers that never live together over each other; that so many come together that they fill a tile is
// hindered by walls.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

class BufferMemory {
 public:
  explicit BufferMemory(const ir::Program& program) : blocks_(program.blocks), together_(program.tiles) {}

  // A row of steps begins.
  void begin_row() { uncount(); }
  // The next step of the row, as it stood before anything moved, has these buffers. Whether they may lie beside those
  // since the last wall; if not, they are counted from a new wall on.
  bool fits(const std::vector<ir::BlockId>& buffers);

 private:
  bool count(const std::vector<ir::BlockId>& buffers);
  void uncount();

  const ir::Blocks& blocks_;
  std::vector<std::uint64_t> together_;  // bytes by tile, of counted_
  std::set<ir::BlockId> counted_;
};

}  // namespace tessera::compiler
