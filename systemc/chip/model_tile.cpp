#include "model/tile.h"
#include "rtl/spec/machine.h"
#include "systemc/chip/tile_of.h"

namespace tessera::chip {

std::unique_ptr<Tile> make_model_tile(const spec::Machine& machine, unsigned id) {
  return std::make_unique<TileOf<model::ModelTile>>(machine, id);
}

}  // namespace tessera::chip
