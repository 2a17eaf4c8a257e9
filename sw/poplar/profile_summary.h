// The text of Engine::printProfileSummary: memory by what it holds, cycles by phase.
#pragma once

#include <optional>
#include <ostream>

#include "compiler/image/executable.h"
#include "sim/port/chip.h"

namespace tessera::runtime {

// What is printed beside totals.
struct SummaryParts {
  bool execution_steps = false;  // the steps of the programs, in order
  bool ipus = false;             // memory of each IPU
  bool tiles = false;            // memory of each tile
  bool variables = false;        // bytes and tiles of each variable
};

// counters: none if nothing has been loaded yet.
void print_summary(std::ostream& os, const image::Executable& executable, const std::optional<chip::Counters>& counters,
                   const SummaryParts& parts);

}  // namespace tessera::runtime
