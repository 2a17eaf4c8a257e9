// Where remote buffers stand in the memory of gateways (docs/reference/control.md, Remote buffers in a gateway).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ir/stream.h"

namespace tessera::compiler {

// The streaming memory that all chips of a replica reach.
struct GatewayMemory {
  std::uint32_t gateway = 0;  // which of the system; replicas may share one
  std::uint64_t bytes = 0;
  // By chip of the replica: the address at which it sees that memory's first byte; none: all at 0, as their own.
  std::vector<std::uint64_t> seen{};
  bool operator==(const GatewayMemory&) const = default;
};

// Remote buffers do not fit in the memory of a gateway: Poplar's stream_memory_allocation_error.
class OutOfGatewayMemory : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `gateways`: by replica. Rows are rounded up to 32 bytes; the buffers of a replica stand one after another in the
// order of the graph, and the replicas of one gateway one after another. `base` has an entry for each replica, or,
// where chips see a memory at different addresses, for each replica and chip, replica by replica: where that chip sees
// it.
std::vector<ir::RemoteBuffer> place_buffers(const std::vector<graph::RemoteBuffer>& buffers,
                                            const std::vector<GatewayMemory>& gateways);

}  // namespace tessera::compiler
