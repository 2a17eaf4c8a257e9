// Which instruction issues in a cycle, and what is fetched for it (tile.md, Contexts and slots). Mirrors rtl/tile's
// issue.
#pragma once

#include <cstdint>

#include "sim/model/tile_state.h"

namespace tessera::model {

// Issues into the pipeline at most one instruction in `cycle`, whose slot is given. Returns the address fetched, 0:
// none.
uint32_t issue(TileState&, uint64_t cycle, unsigned slot);

// One more pass of an instruction that holds several slots, and not its last.
inline bool passes_on(Context& context, const Decoded& d) {
  if (++context.pass < d.slots) return true;
  context.pass = 0;
  return false;
}

}  // namespace tessera::model
