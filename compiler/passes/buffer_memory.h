// Which buffers may still lie over each other when phases have moved. Part of merge_phases().
//
// allocate() lays buffers of different steps (Block::step) over each other. Steps whose buffers are in use at one time
// become one step; that so many come together that they fill a tile is hindered by walls.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

class BufferMemory {
 public:
  explicit BufferMemory(const ir::Program& program);

  // A row of steps begins.
  void begin_row();
  // The next step of the row, as it stood before anything moved, has these steps' buffers. Whether they may lie beside
  // those since the last wall; if not, they are counted from a new wall on.
  bool fits(const std::vector<std::uint32_t>& buffer_steps);

  // The buffers of a step are in use at this position of the row, as it stands in the end; positions ascend.
  void use(std::uint32_t buffer_step, std::size_t position);
  void end_row();

  // Gives blocks and exchanges their steps.
  void apply(ir::Program& program);

 private:
  bool count(const std::vector<std::uint32_t>& buffer_steps);
  void uncount();
  std::uint32_t find(std::uint32_t step);

  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> sizes_;  // by step: tile, bytes of each buffer
  std::vector<std::uint64_t> together_;                                      // bytes by tile, of counted_
  std::set<std::uint32_t> counted_;                                          // steps
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> lives_;       // by step: first and last position
  std::vector<std::uint32_t> same_;                                          // by step: one that it has become
};

}  // namespace tessera::compiler
