// The window of waves or trace as supersteps, for what can begin and end at supersteps only.
#pragma once

#include <cstdint>
#include <string>

#include "inspect/options.h"

namespace tessera::inspect {

struct SuperstepWindow {
  uint64_t from = 0, count = ~0ull;  // ~0: to the end
};
// The window of the waves, or else of the trace. Throws BadOption, naming `option`, unless it is one of supersteps.
SuperstepWindow superstep_window(const Options& options, const std::string& option);

}  // namespace tessera::inspect
