// What the chip edge knows between two cycles (docs/reference/edge.md): plain data, in snapshots and checkpoints.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tessera::chip {

struct PacketEdgeState {
  std::set<std::pair<uint64_t, unsigned>> queue;  // (cycle of the request, tile)
  bool busy = false;
  uint64_t free = 0;       // F
  uint64_t down_free = 0;  // first cycle in which the down path takes a packet
  uint64_t drained = 0;
  std::vector<uint32_t> packet;
};

}  // namespace tessera::chip
