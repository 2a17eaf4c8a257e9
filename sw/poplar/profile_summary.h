// The part of Engine::printProfileSummary that a run adds to what is known of the executable
// (compiler/image/executable_summary.h): cycles by phase.
#pragma once

#include <ostream>

#include "sim/port/chip.h"

namespace tessera::runtime {

void print_cycles(std::ostream& os, const chip::Counters& counters);

}  // namespace tessera::runtime
