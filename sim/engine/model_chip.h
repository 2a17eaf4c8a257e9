// The chip of fast model tiles. Needs no Verilator: link tessera_chip.
#pragma once

#include <memory>

#include "sim/port/chip.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_model_chip(const spec::Machine&);  // on one thread
// threads: that run its tiles; 0: as many as there are cores.
std::unique_ptr<Chip> make_model_chip_with(const spec::Machine&, unsigned threads);

}  // namespace tessera::chip
