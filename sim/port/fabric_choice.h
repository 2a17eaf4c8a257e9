// What joins the tiles of an RTL chip: RTL as well (rtl/chip/fabric.sv), or the engine alone.
#pragma once

namespace tessera::chip {

enum class FabricChoice {
  kUsual,   // RTL up to kUsualFabricTiles, where the build has it for the machine
  kRtl,     // refused where the build has none for the machine
  kEngine,  // C++, which knows the same cycles
};
constexpr unsigned kUsualFabricTiles = 64;

}  // namespace tessera::chip
