// The debug port: memory, registers, CSRs and control of a tile that is halted or waits (edge.md, Debug spaces).
#pragma once

#include <cstdint>

#include "sim/model/tile_state.h"
#include "sim/port/tile_port.h"

namespace tessera::model {

// Whether the access is made whatever the tile does; others are refused while it has not settled.
bool debug_at_any_time(const chip::TileInputs&);
uint32_t debug_read(const TileState&, const chip::TileInputs&);
void debug_write(TileState&, const chip::TileInputs&);

}  // namespace tessera::model
