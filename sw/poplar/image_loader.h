// Puts an executable on a card through its debug registers and starts it.
#pragma once

#include "compiler/image/executable.h"
#include "sw/card/client.h"
#include "sw/poplar/worker_start.h"

namespace tessera::runtime {

// Resets the chip, writes the shared segments once to all tiles and each tile's own, and starts every supervisor.
void load_image(card::Client& client, const image::Executable& executable, const WorkerStart& workers);

}  // namespace tessera::runtime
