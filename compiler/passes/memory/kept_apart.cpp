#include "compiler/passes/memory/kept_apart.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tessera::compiler {
namespace {

void add_pairs(const ir::Vertex& vertex, const graph::FieldConstraint& constraint, std::uint32_t number,
               std::span<const ir::Region> regions, AllKeptApart& all) {
  for (const ir::Region& a : regions) {
    if (a.field != constraint.a || a.elements == 0) continue;
    for (const ir::Region& b : regions) {
      if (b.field != constraint.b || b.elements == 0) continue;
      all.push_back({a.at.block, b.at.block, constraint.part, vertex.id, number});
      all.push_back({b.at.block, a.at.block, constraint.part, vertex.id, number});
    }
  }
}

std::tuple<ir::BlockId, ir::BlockId, graph::MemoryPart> key(const KeptApart& k) { return {k.block, k.other, k.part}; }

AllKeptApart settled(AllKeptApart all) {
  std::stable_sort(all.begin(), all.end(), [](const KeptApart& a, const KeptApart& b) { return key(a) < key(b); });
  const auto same = [](const KeptApart& a, const KeptApart& b) { return key(a) == key(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace

AllKeptApart find_kept_apart(const graph::Graph& graph, const ir::Program& program) {
  AllKeptApart all;
  const auto constrained = [](const graph::Codelet& codelet) { return !codelet.info.constraints.empty(); };
  if (std::none_of(graph.codelets.begin(), graph.codelets.end(), constrained)) return all;
  for (const ir::Compute& compute : program.computes)
    for (const ir::Vertex& vertex : compute.vertices) {
      const std::vector<graph::FieldConstraint>& constraints = graph.codelets[vertex.codelet].info.constraints;
      for (std::uint32_t i = 0; i < constraints.size(); ++i)
        add_pairs(vertex, constraints[i], i, {program.regions.data() + vertex.first_region, vertex.regions}, all);
    }
  return settled(std::move(all));
}

AllKeptApart with_packets(AllKeptApart all, std::span<const ApartInPackets> packets, const Homes& homes) {
  if (packets.empty()) return all;
  const auto home = [&](ir::BlockId block) { return home_of(homes, {block, 0}).block; };
  for (const ApartInPackets& pair : packets) {
    const ir::BlockId source = home(pair.source), target = home(pair.target);
    all.push_back({source, target, graph::MemoryPart::kElement, ir::kNone, 0});
    all.push_back({target, source, graph::MemoryPart::kElement, ir::kNone, 0});
  }
  return settled(std::move(all));
}

std::span<const KeptApart> kept_apart_from(const AllKeptApart& all, ir::BlockId block) {
  const auto first = std::partition_point(all.begin(), all.end(), [&](const KeptApart& k) { return k.block < block; });
  const auto last = std::partition_point(first, all.end(), [&](const KeptApart& k) { return k.block == block; });
  return {first, last};
}

}  // namespace tessera::compiler
