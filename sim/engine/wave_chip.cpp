#include "sim/engine/rtl_chip.h"
#include "sim/engine/rtl_kind.h"

namespace tessera::chip {

#define TILE_KIND(id, machine, base, bytes, element, region1) \
  std::unique_ptr<Chip> make_wave_chip_##id(const spec::Machine&, const WaveOptions&);
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

std::unique_ptr<Chip> make_wave_chip(const spec::Machine& machine, const WaveOptions& options) {
  return kind_of(std::span<const WaveKind>(kKinds), machine, "tile with waves").make_chip(machine, options);
}

}  // namespace tessera::chip
