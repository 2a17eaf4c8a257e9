// Who a replica is in its group.
#pragma once

#include <functional>
#include <gcl/CommGroup.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <tessera/replica_copies.hpp>
#include <vector>

namespace gcl {

class Ranks {
 public:
  // Throws poputil::poplibs_error where the replicas of the graph do not make whole groups. `collective`: its name.
  Ranks(poplar::Graph& graph, const CommGroup& group, const char* collective);

  unsigned size() const { return size_; }
  unsigned rank(unsigned replica) const { return replica / stride_ % size_; }

  using OfRank = std::function<unsigned(unsigned rank)>;
  using TensorOfRank = std::function<poplar::Tensor(unsigned rank)>;

  // By replica: the one in its group whose rank is from(its own).
  std::vector<unsigned> senders(const OfRank& from) const;
  // By replica: that of its rank.
  std::vector<poplar::Tensor> tensors(const TensorOfRank& of_rank) const;

  // Each rank gets the source of the rank so many before it, in the circle.
  tessera::ReplicaCopy shifted(unsigned steps, const TensorOfRank& source, const TensorOfRank& destination) const;

 private:
  unsigned replicas_, size_, stride_;
};

}  // namespace gcl
