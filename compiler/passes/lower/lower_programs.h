// Lowers program trees to steps: what all tiles do one after the other, with every tensor resolved to places.
//
// Host read and write handles become programs of their own after the user's, in the order of the graph: all writes,
// then all reads. A subtree or function that is used in several places is lowered once where it is a body, and each
// copy, compute set and transfer once wherever it is used.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ir/program.h"
#include "compiler/passes/remote/place_buffers.h"

namespace tessera::compiler {

// What one replica runs on.
struct ReplicaChips {
  std::uint32_t chips = 1;
  bool syncs = true;         // they have a sync of their own
  bool independent = false;  // each replica meets the host by itself, and not all of them together
};

// The graph and programs have passed graph::validate(). `tiles`: of all chips of a replica, at least those of the
// graph. `threads`: as in parallel.h. `gateways`: by replica, whose memory has the remote buffers; none: the host has
// them. Throws graph::GraphError for what replicas cannot do: a branch on a predicate of one that another would have to
// follow; OutOfGatewayMemory.
ir::Program lower_programs(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                           std::uint32_t tiles, unsigned threads = 1, const ReplicaChips& replica = {},
                           const std::vector<GatewayMemory>& gateways = {});

}  // namespace tessera::compiler
