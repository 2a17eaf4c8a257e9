// The state of a verilated tile, where the build has found it (rtl/spec/tile_state.def): memory, and faults of what
// programs can reach. Everything else goes through the ports. Mirrors sim/model/flip.cpp.
//
// Between two steps. A memory word is read in clocked processes alone, so the next step sees the flip; registers and
// CSRs are read through logic that the last step has evaluated already, so a flip shows one cycle later: it is made
// when the context reads none (docs/reference/faults.md).
#pragma once

#include <cstdint>

#include "rtl/spec/machine.h"
#include "rtl/spec/tile_state.h"
#include "sim/port/flip.h"

namespace tessera::chip {

// Throws std::logic_error when the tile was not verilated for this machine's memory.
void check_memory(const spec::TileStorage&, const spec::Machine&);

inline uint64_t& rtl_memory_word(const spec::TileStorage& tile, const spec::Machine& machine, uint32_t address) {
  return tile.elements[machine.element_of(address)][machine.row_of(address)];
}

// An entry of a register, at any time.
uint64_t rtl_state(const spec::TileStorage&, spec::TileState, unsigned entry = 0);

void flip_rtl_state(const spec::TileStorage&, const spec::Machine&, const Flip&);

}  // namespace tessera::chip
