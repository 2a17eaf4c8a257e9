// Address, byte lanes and value of a load or store (tile.md, Memory).
#pragma once

#include <cstdint>

#include "sim/model/tile_state.h"

namespace tessera::model {

struct DataAccess {
  bool legal = false;  // inside the memory and aligned
  bool store = false, to_float = false;
  uint32_t address = 0;
  uint8_t bytes = 0;
  uint64_t data = 0;  // load: the register's new value; store: in byte lanes, other lanes 0
  uint8_t strobe = 0;
};

DataAccess data_access(const TileState&, unsigned context, const Decoded&);

}  // namespace tessera::model
