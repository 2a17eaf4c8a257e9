// A chip and a lone tile of one verilated tile. Compiled once for each: KIND is its id in tile_kinds.def, TILE_CLASS
// the class, TILE_STATE_HEADER what the build makes beside it (rtl_tile.h).
#include TILE_STATE_HEADER
#include "sim/engine/chip_engine.h"
#include "sim/engine/rtl_tile.h"
#include "sim/engine/tile_of.h"

#define JOINED(a, b) a##b
#define OF_KIND(name, kind) JOINED(name, kind)

namespace tessera::chip {

std::unique_ptr<Chip> OF_KIND(make_rtl_chip_, KIND)(const spec::Machine& machine, std::unique_ptr<FabricPins> fabric,
                                                    unsigned threads) {
  auto chip = std::make_unique<ChipEngine<RtlTile<TILE_CLASS>>>(machine, threads);
  if (fabric) chip->use_fabric(std::move(fabric));
  return chip;
}

std::unique_ptr<Tile> OF_KIND(make_rtl_tile_, KIND)(const spec::Machine& machine, unsigned id) {
  return std::make_unique<TileOf<RtlTile<TILE_CLASS>>>(machine, id);
}

}  // namespace tessera::chip
