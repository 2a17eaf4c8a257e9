// A model tile with a program, stepped from its start; keeps the records.
#pragma once

#include <vector>

#include "program.h"
#include "sim/model/tile.h"

namespace tessera::test {

struct ModelRun {
  model::ModelTile tile{spec::load_machine("mk2-4"), 0};
  chip::TileInputs in;
  chip::TileOutputs out;
  std::vector<chip::Retire> records;
  std::vector<chip::PortWrite> port_writes;

  explicit ModelRun(const Program& program) { load(program); }

  void load(const Program& program) {
    for (size_t n = 0; n < program.words.size(); ++n)
      tile.state().memory.write_word(program.base + 4 * static_cast<uint32_t>(n), program.words[n]);
  }
  // Starts the supervisor at `pc` by a debug write in the present cycle.
  void start(uint32_t pc) {
    in.debug_valid = in.debug_write = true;
    in.debug_space = chip::DebugSpace::kControl;
    in.debug_address = 0;
    in.debug_wdata = pc;
    step();
    in.debug_valid = in.debug_write = false;
  }
  void step() {
    tile.step(in, out);
    if (tile.retire().valid) records.push_back(tile.retire());
    tile.port_writes().each([&](const chip::PortWrite& write) { port_writes.push_back(write); });
    ++in.cycle;
  }
  void step_to(uint64_t cycle) {
    while (in.cycle < cycle) step();
  }
  uint32_t x(unsigned context, unsigned number) const { return tile.state().contexts[context].x[number]; }
};

}  // namespace tessera::test
