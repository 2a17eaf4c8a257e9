// The option rtl-window: the model runs the program up to the window of waves or trace and behind it, the RTL inside.
#pragma once

#include <functional>
#include <memory>

#include "chip/chip.h"
#include "inspect/options.h"

namespace tessera::machine {

struct SuperstepWindow {
  uint64_t from = 0, count = ~0ull;  // ~0: to the end
};
// The window of the waves, or else of the trace. Throws BadOption, naming `option`, unless it is one of supersteps.
SuperstepWindow superstep_window(const inspect::Options& options, const std::string& option);

// `make_rtl`: the chip for the window.
std::unique_ptr<chip::Chip> make_rtl_window(const inspect::Options& options, const spec::Machine& machine,
                                            std::function<std::unique_ptr<chip::Chip>()> make_rtl);

}  // namespace tessera::machine
