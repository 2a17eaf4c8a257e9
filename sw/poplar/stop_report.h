// Says why a chip stopped, in the words of the user's program. The machine tells it from the history of the run
// (docs/user/failures.md); where it has none, tile, context, cause, vertex, codelet, compute set, step and superstep
// are found in the chip as it stands.
#pragma once

#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "sw/card/client.h"
#include "sw/poplar/run_limits.h"

namespace tessera::runtime {

// For the host or for other chips.
bool waits_for_others(const chip::Stop& stop);

// `stops`: of each chip, not all at a host sync. Lines of text; the first says in short why, with ", while `what`", and
// of several chips begins with the one that it was. Leaves that chip chosen.
std::string tell_stop(card::Client& client, const image::Executable& executable, const std::vector<chip::Stop>& stops,
                      const RunLimits& limits, const std::string& what);

}  // namespace tessera::runtime
