// Faults of what a tile holds (docs/reference/faults.md). Mirrors systemc/chip/rtl_state.h.
#pragma once

#include "sim/model/tile_state.h"
#include "sim/port/flip.h"

namespace tessera::model {

// Between two cycles; the flip is of a state.
void flip(TileState&, const chip::Flip&);

}  // namespace tessera::model
