// Which blocks must not lie in one element, or in one region, of memory: what constraints of codelets
// (poplar::constraint) say of the fields of their vertices, and what is sent in packets while others come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ir/program.h"
#include "compiler/passes/exchange/plan_packets.h"
#include "compiler/passes/memory/homes.h"

namespace tessera::compiler {

struct KeptApart {
  ir::BlockId block, other;
  graph::MemoryPart part;
  graph::VertexId vertex;    // the first that asks for it; kNone: packets
  std::uint32_t constraint;  // of its codelet
};

// By block, then the other; each pair stands there both ways.
using AllKeptApart = std::vector<KeptApart>;
AllKeptApart find_kept_apart(const graph::Graph& graph, const ir::Program& program);
AllKeptApart with_packets(AllKeptApart all, std::span<const ApartInPackets> packets, const Homes& homes);

// Those of one block.
std::span<const KeptApart> kept_apart_from(const AllKeptApart& all, ir::BlockId block);

}  // namespace tessera::compiler
