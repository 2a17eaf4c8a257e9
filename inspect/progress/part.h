// Tells of a run that takes long where it stands: a line on standard error with superstep, speed and what the tiles do,
// after so many seconds of wall time as the option `progress` says; on a terminal renewed in place, in a file once a
// minute. A run whose user has pressed Ctrl-C tells where every tile stands.
#pragma once

#include <memory>

#include "inspect/options.h"
#include "inspect/run.h"

namespace tessera::inspect::progress {

// Null: progress=0. Of a system of several chips chip 0 tells; who asks is told of all.
std::unique_ptr<Part> make_part(const Options&, const spec::ChipPlace& place = {});

// For a signal handler: somebody wants to know where every tile stands.
void ask();

}  // namespace tessera::inspect::progress
