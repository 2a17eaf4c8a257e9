#include "sw/libs/gcl/ranks.h"

#include <poputil/exceptions.hpp>

namespace gcl {

Ranks::Ranks(poplar::Graph& graph, const CommGroup& group, const char* collective)
    : replicas_(graph.getReplicationFactor()) {
  const bool all = group.type() == CommGroupType::ALL || group.size() == 0;
  if (group.type() == CommGroupType::ALL && group.size() != 0 && group.size() != replicas_)
    throw poputil::poplibs_error(std::string(collective) + ": a group of all replicas with size " +
                                 std::to_string(group.size()) + "; there are " + std::to_string(replicas_));
  size_ = all ? replicas_ : group.size();
  if (replicas_ % size_ != 0)
    throw poputil::poplibs_error(std::string(collective) + ": groups of " + std::to_string(size_) +
                                 " do not divide the " + std::to_string(replicas_) + " replicas");
  stride_ = all ? 1 : group.type() == CommGroupType::ORTHOGONAL ? replicas_ / size_ : group.stride();
  if (stride_ == 0 || replicas_ % (size_ * stride_) != 0)
    throw poputil::poplibs_error(std::string(collective) + ": groups of " + std::to_string(size_) + " at stride " +
                                 std::to_string(stride_) + " do not divide the " + std::to_string(replicas_) +
                                 " replicas");
}

std::vector<unsigned> Ranks::senders(const OfRank& from) const {
  std::vector<unsigned> result;
  for (unsigned replica = 0; replica < replicas_; ++replica)
    result.push_back(replica - rank(replica) * stride_ + from(rank(replica)) % size_ * stride_);
  return result;
}

std::vector<poplar::Tensor> Ranks::tensors(const TensorOfRank& of_rank) const {
  std::vector<poplar::Tensor> result;
  for (unsigned replica = 0; replica < replicas_; ++replica) result.push_back(of_rank(rank(replica)));
  return result;
}

tessera::ReplicaCopy Ranks::shifted(unsigned steps, const TensorOfRank& source, const TensorOfRank& destination) const {
  return {tensors(source), tensors(destination), senders([&](unsigned rank) { return rank + size_ - steps % size_; })};
}

}  // namespace gcl
