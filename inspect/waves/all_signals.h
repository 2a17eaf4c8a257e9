// Waves of every signal of the RTL (wave-depth all): the chip with traced tiles writes them; here is what a save file
// shows first of them, and the part that leaves it.
#pragma once

#include <memory>

#include "inspect/options.h"
#include "inspect/run.h"
#include "inspect/waves/signals.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::waves {

// Ports and registers of rtl/tile/tile.sv, by group.
const std::vector<Scope>& all_signal_groups();

std::unique_ptr<Part> make_all_signals_part(const Options&, const spec::Machine&, const spec::ChipPlace&);

}  // namespace tessera::inspect::waves
