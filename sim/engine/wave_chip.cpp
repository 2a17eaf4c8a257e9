#include "sim/engine/rtl_chip.h"
#include "sim/engine/rtl_kind.h"

namespace tessera::chip {

#define TILE_KIND(id, machine, base, bytes, element, region1) \
  std::unique_ptr<Chip> make_wave_chip_##id(const spec::Machine&, const WaveOptions&, FabricChoice);
#include "traced_tile_kinds.def"
#undef TILE_KIND

namespace {

constexpr WaveKind kKinds[] = {
#define TILE_KIND(id, machine, base, bytes, element, region1) \
  {machine, {base, bytes, element, region1}, make_wave_chip_##id},
#include "traced_tile_kinds.def"
#undef TILE_KIND
};

}  // namespace

std::unique_ptr<Chip> make_wave_chip(const spec::Machine& machine, const WaveOptions& options, FabricChoice fabric) {
  const WaveKind& kind = kind_of(std::span<const WaveKind>(kKinds), machine, "tile with waves");
  return kind.make_chip(machine, options, fabric);
}

}  // namespace tessera::chip
