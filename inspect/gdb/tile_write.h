// A debug write to a stopped tile.
#pragma once

#include <cstdint>

#include "sim/port/chip.h"

namespace tessera::inspect::gdb {

struct TileWrite {
  chip::DebugSpace space = chip::DebugSpace::kMemory;
  unsigned context = 0;
  uint32_t address = 0, data = 0;
};

}  // namespace tessera::inspect::gdb
