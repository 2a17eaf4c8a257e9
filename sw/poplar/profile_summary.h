// What Engine tells of memory and cycles. printProfileSummary: here is the part that a run adds to what is known of the
// executable (compiler/image/executable_summary.h), cycles by phase.
#pragma once

#include <ostream>

#include <poplar/ProfileValue.hpp>

#include "compiler/image/executable.h"

#include "sim/port/chip.h"

namespace tessera::runtime {

void print_cycles(std::ostream& os, const chip::Counters& counters);

// {"target": {machine, tiles}, "memory": {"byTile": {total, available, alwaysLive, notAlwaysLive, ...}}, "hostBytes"};
// of each kind of memory a vector with an entry a tile of one replica.
poplar::ProfileValue graph_profile(const image::Executable& executable);
// {"supersteps", "cycles": {total, compute, sync, exchange, host}}
poplar::ProfileValue execution_profile(const chip::Counters& counters);

}  // namespace tessera::runtime
