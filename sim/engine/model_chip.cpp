#include "sim/engine/model_chip.h"
#include "sim/engine/chip_engine.h"
#include "sim/model/tile.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_model_chip(const spec::Machine& machine) { return make_model_chip_with(machine, 1); }

std::unique_ptr<Chip> make_model_chip_with(const spec::Machine& machine, unsigned threads) {
  return std::make_unique<ChipEngine<model::ModelTile>>(machine, threads);
}

}  // namespace tessera::chip
