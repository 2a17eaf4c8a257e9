#include "sim/engine/model_chip.h"
#include "sim/engine/chip_engine.h"
#include "sim/model/tile.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_model_chip(const spec::Machine& machine) {
  return std::make_unique<ChipEngine<model::ModelTile>>(machine);
}

}  // namespace tessera::chip
