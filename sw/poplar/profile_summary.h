// The text of Engine::printProfileSummary: memory by what it holds, cycles by phase.
#pragma once

#include <optional>
#include <ostream>

#include "compiler/image/executable.h"
#include "sim/port/chip.h"

namespace tessera::runtime {

// counters: none if nothing has been loaded yet. per_tile: a line for every tile too.
void print_summary(std::ostream& os, const image::Executable& executable, const std::optional<chip::Counters>& counters,
                   bool per_tile);

}  // namespace tessera::runtime
