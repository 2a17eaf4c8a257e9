#include <poplar/exceptions.hpp>
#include <tessera/replica_copies.hpp>

#include <string>

#include "sw/poplar/program_parts.h"

namespace tessera {
namespace {

using poplar::detail::Access;

graph::CrossReplicaCopy::Part part_of(const ReplicaCopy& copy, poplar::detail::Parts& of) {
  graph::CrossReplicaCopy::Part part;
  for (const poplar::Tensor& source : copy.sources) part.sources.push_back(of(source));
  for (const poplar::Tensor& destination : copy.destinations) part.destinations.push_back(of(destination));
  if (part.sources.empty() || part.destinations.empty())
    throw poplar::graph_replication_error("ReplicaCopies: a copy without a source or a destination");
  const unsigned replicas = Access::impl(copy.sources[0]).state->graph.replicas;
  const auto complain = [&](const std::string& what) {
    throw poplar::graph_replication_error("ReplicaCopies to " + copy.destinations[0].getVarStr() + ": " + what +
                                          "; the graph has " + std::to_string(replicas) + " replicas");
  };
  for (const auto* tensors : {&copy.sources, &copy.destinations})
    if (tensors->size() != 1 && tensors->size() != replicas) complain(std::to_string(tensors->size()) + " tensors");
  if (copy.from.size() != replicas) complain("a source for " + std::to_string(copy.from.size()));
  for (const unsigned replica : copy.from)
    if (replica >= replicas) complain("from replica " + std::to_string(replica));
  part.from.assign(copy.from.begin(), copy.from.end());
  return part;
}

}  // namespace

ReplicaCopies::ReplicaCopies(const std::vector<ReplicaCopy>& copies, const poplar::DebugContext& debugContext)
    : Program([&] {
        if (copies.empty()) throw poplar::graph_replication_error("ReplicaCopies of nothing");
        poplar::detail::Parts of("ReplicaCopies", debugContext);
        std::vector<graph::CrossReplicaCopy::Part> parts;
        for (const ReplicaCopy& copy : copies) parts.push_back(part_of(copy, of));
        return of.make(graph::CrossReplicaCopy(std::move(parts)));
      }()) {}

}  // namespace tessera
