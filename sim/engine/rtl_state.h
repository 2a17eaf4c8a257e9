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

// A double word of the memory, and its check bits.
struct RtlMemoryRow {
  uint64_t& word;
  uint8_t& check;

  void write(uint64_t data) {
    word = data;
    check = parity_of_bytes(data);
  }
  uint8_t bad_bytes() const { return check ^ parity_of_bytes(word); }
  // A bit a byte, the lowest byte's first: 1 where it has an odd number of ones (tile.md, Parity).
  static uint8_t parity_of_bytes(uint64_t data) {
    data ^= data >> 4, data ^= data >> 2, data ^= data >> 1;
    return static_cast<uint8_t>((data & 0x0101010101010101) * 0x0102040810204080 >> 56);
  }
};
inline RtlMemoryRow rtl_memory_row(const spec::TileStorage& tile, const spec::Machine& machine, uint32_t address) {
  const unsigned element = machine.element_of(address), row = machine.row_of(address);
  return {tile.words[element][row], tile.checks[element][row]};
}

// As reset with clear_memory_i leaves it. What of it is not written then takes none of the host's memory.
void clear_rtl_memory(const spec::TileStorage&);

// An entry of a register, at any time.
uint64_t rtl_state(const spec::TileStorage&, spec::TileState, unsigned entry = 0);

void flip_rtl_state(const spec::TileStorage&, const spec::Machine&, const Flip&);

}  // namespace tessera::chip
