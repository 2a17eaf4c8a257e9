// The control code of one tile; part of emit_control().
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/passes/control/emit_control.h"

namespace tessera::compiler {

struct ControlPlan {
  Outlining outline = Outlining::kFree;
  bool skip_syncs = true;
  std::vector<bool> subroutine;  // per body
  // Per chip and exchange: every tile of the chip waits for it, whatever its part.
  std::vector<std::vector<bool>> meeting;
  // Per body and step: index of its name. A compute step and the copies that belong to it share one.
  std::vector<std::vector<std::uint32_t>> names;
  std::map<std::vector<std::uint32_t>, std::uint32_t> host_phases;  // by transfers: index of HostLayout::phases
};

// The control data block of a tile, at which register tp points: the event packet, then the dispatch table (one word a
// program), then return addresses and counters.
constexpr std::uint32_t kEventPacketBytes = 12, kEventCodeOffset = 8;

// The code of one tile with what it adds: its blocks have the numbers from `blocks.size()` on.
struct TileControl {
  TileCode code;
  ir::Blocks blocks;
  LoadData data;
};

// `blocks`: those of the passes before. Tiles have nothing to do with each other.
TileControl emit_tile(const ControlInput& input, const ControlPlan& plan, std::uint32_t tile, const ir::Blocks& blocks);

}  // namespace tessera::compiler
