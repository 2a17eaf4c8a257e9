#include "Vtile_state.h"
#include "sim/engine/rtl_tile.h"
#include "sim/engine/tile_of.h"

namespace tessera::chip {

std::unique_ptr<Tile> make_tile(Backend backend, const spec::Machine& machine, unsigned id) {
  if (backend == Backend::kModel) return make_model_tile(machine, id);
  return std::make_unique<TileOf<RtlTile<Vtile>>>(machine, id);
}

}  // namespace tessera::chip
