// Puts an executable on a card through its debug registers and starts it.
#pragma once

#include "compiler/image/executable.h"
#include "sw/card/client.h"

namespace tessera::runtime {

// Resets the chip, writes the shared segments once to all tiles and each tile's own, and starts every supervisor.
// trap_floats: workers start with the traps for invalid operations, division by zero and overflow enabled.
void load_image(card::Client& client, const image::Executable& executable, bool trap_floats);

}  // namespace tessera::runtime
