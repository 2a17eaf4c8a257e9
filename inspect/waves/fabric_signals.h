// What a save file shows first of the fabric's RTL (rtl/chip/fabric.sv) in waves of every signal: sync, edge and host
// port, and of tiles that are shown the way of their words through the exchange and their exchange blocks.
#pragma once

#include <string>
#include <vector>

#include "inspect/waves/signals.h"

namespace tessera::inspect::waves {

struct FabricShape {  // lines of the machine's description
  unsigned rows = 0, columns = 0, lanes = 0, blocks = 0;
  unsigned tiles() const { return rows * columns * lanes; }
  unsigned block_tiles() const { return (tiles() + blocks - 1) / blocks; }
};

struct FabricSignal {
  std::string name;  // below the chip's scope
  unsigned bits;
  Shown shown;
  Names names = Names::None;
  int color = 0;
};
struct FabricGroup {
  std::string title;
  bool closed;
  std::vector<FabricSignal> signals;
};

std::vector<FabricGroup> fabric_groups(const FabricShape&, const std::vector<unsigned>& tiles);

}  // namespace tessera::inspect::waves
