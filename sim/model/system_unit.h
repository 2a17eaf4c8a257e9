// The system part: run, runall, exit, sync, xarm, hsend, trap (tile.md, Launch and Sync; exchange.md; edge.md).
#pragma once

#include "sim/model/execute.h"

namespace tessera::model {

// Finds the exception of a system instruction.
void check_system(const TileState&, const Issued&, Execution&);
void commit_system(TileState&, const Issued&);

}  // namespace tessera::model
