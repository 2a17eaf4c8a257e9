// Puts an executable on a card through its debug registers and starts it.
#pragma once

#include "compiler/image/executable.h"
#include "sw/card/client.h"
#include "sw/poplar/worker_start.h"

namespace tessera::runtime {

// Resets the chips, writes to each the shared segments once to all tiles, each tile's own and the words of its replica,
// and starts every supervisor when all chips are loaded. Leaves chip 0 chosen.
void load_image(card::Client& client, const image::Executable& executable, const WorkerStart& workers);

}  // namespace tessera::runtime
