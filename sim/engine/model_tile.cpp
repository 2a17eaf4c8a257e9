#include "rtl/spec/machine.h"
#include "sim/engine/tile_of.h"
#include "sim/model/tile.h"

namespace tessera::chip {

std::unique_ptr<Tile> make_model_tile(const spec::Machine& machine, unsigned id) {
  return std::make_unique<TileOf<model::ModelTile>>(machine, id);
}

}  // namespace tessera::chip
