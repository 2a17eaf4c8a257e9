// The chip of fast model tiles. Needs no Verilator: link tessera_chip.
#pragma once

#include <memory>

#include "sim/port/chip.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_model_chip(const spec::Machine&);

}  // namespace tessera::chip
