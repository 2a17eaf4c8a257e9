#include "chip/model_chip.h"
#include "chip/chip_engine.h"
#include "model/tile.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_model_chip(const spec::Machine& machine) {
  return std::make_unique<ChipEngine<model::ModelTile>>(machine);
}

}  // namespace tessera::chip
