// Tessera's own form of CrossReplicaCopy: several copies between replicas in one phase, of tensors that each replica
// may have at other places of its tiles. Collectives are made of it.
#pragma once

#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace tessera {

// In replica r the destination gets the source of replica `from[r]`. `sources` and `destinations` are one tensor, which
// is the same in all replicas, or as many as replicas, each of the one that has it: these are on the same tiles in the
// same order, and what a tile has of one is whole words from what it has of another. Then none gets from itself, or all
// do, inside their tiles.
struct ReplicaCopy {
  std::vector<poplar::Tensor> sources, destinations;
  std::vector<unsigned> from;
};

// None reads or writes what another writes. Throws graph_replication_error where numbers do not fit the replicas; where
// tensors overlap, or do not lie as described, the Engine does, naming them.
class ReplicaCopies : public poplar::program::Program {
 public:
  explicit ReplicaCopies(const std::vector<ReplicaCopy>& copies, const poplar::DebugContext& debugContext = {});
};

}  // namespace tessera
