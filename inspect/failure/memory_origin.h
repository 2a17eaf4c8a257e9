// Where the content of a word of a tile's memory comes from, and whether it is what the program put there.
#pragma once

#include <cstdint>
#include <string>

#include "inspect/failure/case.h"

namespace tessera::inspect::failure {

// "; written in cycle 1674 by worker 0: `sw a3, 0(a1)` at codelets.cpp:71, vertex 0 of ..., for which it was just
// beyond the end of output 'out' (...)": found by a replay. `own`: a vertex that need not be named. The run is at its
// end again.
std::string last_writer(Case&, unsigned tile, uint32_t address, const names::Vertex* own);

// The field whose pointer stands at that address, null when there is none.
const names::Field* pointed_from(const Words&, unsigned tile, uint32_t address);

// " (bit 30 has turned over)" when just one bit differs, else "".
std::string changed_bits(uint64_t should, uint64_t is);

}  // namespace tessera::inspect::failure
