#include "sim/engine/rtl_chip.h"

#include "Vtile_state.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_tile.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_rtl_chip(const spec::Machine& machine) {
  return std::make_unique<ChipEngine<RtlTile<Vtile>>>(machine);
}

std::unique_ptr<Chip> make_chip(Backend backend, const spec::Machine& machine) {
  return backend == Backend::kRtl ? make_rtl_chip(machine) : make_model_chip(machine);
}

}  // namespace tessera::chip
