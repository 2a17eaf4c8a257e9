// The control code of one tile; part of emit_control().
#pragma once

#include <vector>

#include "compiler/passes/emit_control.h"

namespace tessera::compiler {

struct ControlPlan {
  std::vector<bool> subroutine;  // per body
  // Per body and step: index of its name. A compute step and the copies that belong to it share one.
  std::vector<std::vector<std::uint32_t>> names;
};

// The control data block of a tile, at which register tp points: the event packet, then the dispatch table (one word a
// program), then return addresses and counters.
constexpr std::uint32_t kEventPacketBytes = 12, kEventCodeOffset = 8;

TileCode emit_tile(const ControlInput& input, const ControlPlan& plan, std::uint32_t tile, ir::Blocks& blocks,
                   LoadData& data);

}  // namespace tessera::compiler
