// What the chip edge knows between two cycles (docs/reference/edge.md): plain data, in snapshots and checkpoints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

struct PacketEdgeState {
  // Requests that are not granted, by (cycle of the request, tile): the cycle in which it fell, ~0 while it stands.
  std::map<std::pair<uint64_t, unsigned>, uint64_t> queue;
  bool busy = false;       // a packet is granted and not over
  unsigned owner = 0;      // its tile
  uint64_t expected = 0;   // in which its next word has to be on the tile's port
  uint64_t free = 0;       // F
  uint64_t down_free = 0;  // first cycle in which the down path takes a packet
  uint64_t drained = 0;
  std::vector<uint32_t> packet;
  std::optional<Refusal> refusal;  // the first
};

}  // namespace tessera::chip
