// Says why a chip stopped, in the words of the user's program. The machine tells it from the history of the run
// (docs/user/failures.md); where it has none, tile, context, cause, vertex, codelet, compute set, step and superstep
// are found in the chip as it stands.
#pragma once

#include <string>

#include "compiler/image/executable.h"
#include "sw/card/client.h"
#include "sw/poplar/run_limits.h"

namespace tessera::runtime {

// Lines of text; the first says it in short, with ", while `what`". `stop` is an exception, a deadlock, a passed limit
// or a halt.
std::string tell_stop(card::Client& client, const image::Executable& executable, const chip::Stop& stop,
                      const RunLimits& limits, const std::string& what);

}  // namespace tessera::runtime
