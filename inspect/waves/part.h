// Waves of a run: options.h's `waves`, as a part of it. Also leaves the save file.
#pragma once

#include <memory>
#include <stdexcept>

#include "inspect/options.h"
#include "inspect/run.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::waves {

// Null when the options ask for no waves. With wave_all_signals the chip itself writes the FST, and the part only what
// goes with it. Throws BadOption (a tile that the machine lacks) and std::runtime_error (a path that cannot be
// written).
// finish() throws std::runtime_error when the window never came.
std::unique_ptr<Part> make_part(const Options&, const spec::Machine&, const spec::ChipPlace& = {});

// What it throws then: the run has ended in this cycle and superstep.
std::runtime_error never_came(const Options&, uint64_t cycle, uint64_t superstep);

}  // namespace tessera::inspect::waves
