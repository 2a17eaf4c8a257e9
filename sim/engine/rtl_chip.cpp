#include "sim/engine/rtl_chip.h"

#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_kind.h"

namespace tessera::chip {

#define TILE_KIND(id, machine, base, bytes, element, region1)                                            \
  std::unique_ptr<Chip> make_rtl_chip_##id(const spec::Machine&, std::unique_ptr<FabricPins>, unsigned); \
  std::unique_ptr<Tile> make_rtl_tile_##id(const spec::Machine&, unsigned);
#include "tile_kinds.def"
#undef TILE_KIND

namespace {

constexpr RtlKind kKinds[] = {
#define TILE_KIND(id, machine, base, bytes, element, region1) \
  {machine, {base, bytes, element, region1}, make_rtl_chip_##id, make_rtl_tile_##id},
#include "tile_kinds.def"
#undef TILE_KIND
};

const RtlKind& rtl_kind(const spec::Machine& machine) {
  return kind_of(std::span<const RtlKind>(kKinds), machine, "tile");
}

}  // namespace

std::unique_ptr<Chip> make_rtl_chip_with(FabricChoice fabric, const spec::Machine& machine, bool linked,
                                         unsigned threads) {
  const RtlKind& kind = rtl_kind(machine);
  return kind.make_chip(machine, make_fabric_pins(fabric, machine, linked), threads);
}

std::unique_ptr<Chip> make_rtl_chip(const spec::Machine& machine) {
  return make_rtl_chip_with(FabricChoice::kUsual, machine);
}

std::unique_ptr<Chip> make_chip(Backend backend, const spec::Machine& machine) {
  return backend == Backend::kRtl ? make_rtl_chip(machine) : make_model_chip(machine);
}

std::unique_ptr<Chip> make_linked_chip(Backend backend, const spec::Machine& machine) {
  return backend == Backend::kRtl ? make_rtl_chip_with(FabricChoice::kUsual, machine, true) : make_model_chip(machine);
}

std::unique_ptr<Tile> make_tile(Backend backend, const spec::Machine& machine, unsigned id) {
  if (backend == Backend::kModel) return make_model_tile(machine, id);
  return rtl_kind(machine).make_tile(machine, id);
}

}  // namespace tessera::chip
