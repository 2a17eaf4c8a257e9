// What the chip edge knows between two cycles (docs/reference/edge.md): plain data, in snapshots and checkpoints.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

struct PacketEdgeState {
  std::set<std::pair<uint64_t, unsigned>> queue;  // (cycle of the request, tile)
  bool busy = false;
  uint64_t free = 0;       // F
  uint64_t down_free = 0;  // first cycle in which the down path takes a packet
  uint64_t drained = 0;
  std::vector<uint32_t> packet;
  std::optional<Refusal> refusal;  // the first
};

}  // namespace tessera::chip
