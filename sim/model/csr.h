// Control and status registers (rtl/spec/csrs.def; tile.md, Registers and CSRs).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/model/tile_state.h"

namespace tessera::model {

// What a CSR instruction does: the value read, and the value to write if it writes. Empty: illegal.
struct CsrAccess {
  uint32_t read = 0;
  bool writes = false;
  uint32_t written = 0;
};
std::optional<CsrAccess> csr_access(const TileState&, unsigned context, const Decoded&, uint64_t issue);

// 0 for numbers that the context lacks.
uint32_t csr_read(const TileState&, unsigned context, uint32_t number, uint64_t cycle);
// Writes the bits that exist; ignores read-only and unknown numbers.
void csr_write(TileState&, unsigned context, uint32_t number, uint32_t value);

}  // namespace tessera::model
