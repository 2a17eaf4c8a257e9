// Who a replica is in its group, and what goes round in groups.
#pragma once

#include <functional>
#include <gcl/CommGroup.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <string>

namespace gcl {

class Ranks {
 public:
  // Throws poputil::poplibs_error where the replicas of the graph do not make whole groups. `collective`: its name.
  Ranks(poplar::Graph& graph, const CommGroup& group, const char* collective);

  unsigned size() const { return size_; }
  unsigned rank(unsigned replica) const { return replica / stride_ % size_; }
  // A tensor {1} with a number for each replica, by its rank; steps that a rank goes down are taken modulo the size.
  poplar::Tensor number(const std::function<unsigned(unsigned rank)>& of_rank, const std::string& name) const;
  // That of the rank so many before.
  poplar::Tensor before(unsigned steps, const std::string& name) const;
  // The source of each rank to the target of the rank so many behind it, in the circle.
  poplar::program::Program send(const poplar::Tensor& source, const poplar::Tensor& target, unsigned steps,
                                const poplar::DebugContext& debugContext) const;

 private:
  poplar::Graph& graph_;
  unsigned replicas_, size_, stride_;
};

}  // namespace gcl
