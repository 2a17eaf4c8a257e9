#include "sw/libs/gcl/ranks.h"

#include <map>
#include <poputil/exceptions.hpp>

namespace gcl {

Ranks::Ranks(poplar::Graph& graph, const CommGroup& group, const char* collective)
    : graph_(graph), replicas_(graph.getReplicationFactor()) {
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

poplar::Tensor Ranks::number(const std::function<unsigned(unsigned rank)>& of_rank, const std::string& name) const {
  const poplar::Tensor t = graph_.addVariable(poplar::UNSIGNED_INT, {1}, name);
  graph_.setTileMapping(t, 0);
  std::map<unsigned, unsigned> values;
  for (unsigned replica = 0; replica < replicas_; ++replica) values[replica] = of_rank(rank(replica));
  graph_.setInitialValue(t, values);
  return t;
}

poplar::Tensor Ranks::before(unsigned steps, const std::string& name) const {
  return number([&](unsigned rank) { return (rank + size_ - steps % size_) % size_; }, name);
}

poplar::program::Program Ranks::send(const poplar::Tensor& source, const poplar::Tensor& target, unsigned steps,
                                     const poplar::DebugContext& debugContext) const {
  std::map<unsigned, unsigned> map;
  for (unsigned replica = 0; replica < replicas_; ++replica) {
    const unsigned to = (rank(replica) + steps) % size_;
    map[replica] = replica - rank(replica) * stride_ + to * stride_;
  }
  return poplar::program::CrossReplicaCopy(source, target, map, debugContext);
}

}  // namespace gcl
