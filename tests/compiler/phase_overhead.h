// The cost of an exchange phase beyond its words (settled question 16): from the last tile's sync to the first worker
// instruction after the phase, less the schedule through the last word.
#pragma once

#include <cstdint>

#include "rtl/spec/machine.h"

namespace tessera::test {

// Cycles, measured on model tiles: one vertex gathers 20 words from every tile.
std::uint64_t phase_overhead(const spec::Machine& machine);

// What a phase costs a tile without a part in it, which computes before and after: cycles in which its workers stand
// still, less those without the phase. The phase waits for another tile, which computes for longer.
struct SkippedPhase {
  std::uint64_t skipped, waited;  // with opt.enableSkipSyncs, and without
};
SkippedPhase skipped_phase(const spec::Machine& machine);

// mk2-16 with the sync latency of mk2.
spec::Machine mk2_16_with_mk2_sync();

}  // namespace tessera::test
