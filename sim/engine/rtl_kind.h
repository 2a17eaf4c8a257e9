// The tiles that were verilated in this build, one for each geometry of a tile's memory, and the choice among them. An
// instance of `Verilated` fits only machines of the geometry it was made for (rtl/tile/CMakeLists.txt, TESSERA_TILES).
#pragma once

#include <memory>
#include <span>
#include <stdexcept>

#include "rtl/spec/machine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/rtl_chip.h"
#include "sim/port/chip.h"
#include "sim/port/tile.h"

namespace tessera::chip {

// What is instantiated of each (rtl_kind.cpp).
struct RtlKind {
  const char* machine;  // whose description it was made from
  spec::TileGeometry geometry;
  std::unique_ptr<Chip> (*make_chip)(const spec::Machine&, std::unique_ptr<FabricPins>,
                                     unsigned threads);  // null: without
  std::unique_ptr<Tile> (*make_tile)(const spec::Machine&, unsigned id);
};

// Those that are built with waves (wave_kind.cpp).
struct WaveKind {
  const char* machine;
  spec::TileGeometry geometry;
  std::unique_ptr<Chip> (*make_chip)(const spec::Machine&, const WaveOptions&, FabricChoice);
};

// The kind that fits the machine. std::runtime_error with what to do where none does; `which`: "tile" or "tile with
// waves".
template <class Kind>
const Kind& kind_of(std::span<const Kind> kinds, const spec::Machine& machine, const char* which) {
  std::string built;
  for (const Kind& kind : kinds) {
    if (kind.geometry == machine.geometry()) return kind;
    built += std::string(built.empty() ? "" : ", ") + kind.machine;
  }
  throw std::runtime_error("the RTL of machine " + machine.name + " is not built: this build has a " + which + " of " +
                           built + "; configure with -DTESSERA_TILES=DESCRIPTION (its name or path) and build again, " +
                           "or run it on the model (TESSERA_BACKEND=model)");
}

}  // namespace tessera::chip
