// What an executable takes, as text: memory by what it holds, variables, steps. For Engine::printProfileSummary and
// `tessera compile`.
#pragma once

#include <ostream>

#include "compiler/image/executable.h"

namespace tessera::image {

// What is printed beside totals.
struct SummaryParts {
  bool execution_steps = false;  // the steps of the programs, in order
  bool ipus = false;             // memory of each IPU
  bool tiles = false;            // memory of each tile
  bool variables = false;        // bytes and tiles of each variable
};

void print_summary(std::ostream& os, const Executable& executable, const SummaryParts& parts);

}  // namespace tessera::image
