#include "sw/libs/gcl/gather.h"

#include <gcl/Collectives.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <vector>

#include "sw/libs/gcl/options.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

Tensor gather(Graph& graph, const Tensor& part, const Ranks& ranks, Sequence& prog, const DebugContext& debugContext) {
  const Tensor row = part.flatten().expand({0});
  const Tensor all =
      popops::createSliceableTensorFromSlice(graph, row, {0}, {ranks.size()}, {debugContext, "gathered"});
  const Tensor own = graph.clone(all[0], {debugContext, "own"});  // where all rows are
  prog.add(Copy(part.flatten(), own, false, debugContext));
  std::vector<tessera::ReplicaCopy> copies;
  for (unsigned step = 0; step < ranks.size(); ++step)
    copies.push_back(ranks.shifted(
        step, [&](unsigned) { return own; },
        [&](unsigned rank) { return all[(rank + ranks.size() - step) % ranks.size()]; }));
  prog.add(tessera::ReplicaCopies(copies, debugContext));
  return all;
}

Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, const CommGroup& group,
                             const DebugContext& debugContext, const OptionFlags& options) {
  check_no_turns(options, "allGatherCrossReplica");
  const Ranks ranks(graph, group, "allGatherCrossReplica");
  std::vector<std::size_t> shape = data.shape();
  shape.insert(shape.begin(), ranks.size());
  return gather(graph, data, ranks, prog, {debugContext, "allGather"}).reshape(shape);
}

Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options) {
  return allGatherCrossReplica(graph, data, prog, CommGroup(), debugContext, options);
}

Tensor broadcastCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, const CommGroup& group,
                             unsigned rootReplica, const DebugContext& debugContext, const OptionFlags& options) {
  check_no_turns(options, "broadcastCrossReplica");
  const Ranks ranks(graph, group, "broadcastCrossReplica");
  if (rootReplica >= ranks.size())
    throw poputil::poplibs_error("broadcastCrossReplica: rootReplica " + std::to_string(rootReplica) +
                                 " of a group of " + std::to_string(ranks.size()));
  const DebugContext name(debugContext, "broadcast");
  const Tensor result = graph.clone(data, name, poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  prog.add(tessera::ReplicaCopies({{{data}, {result}, ranks.senders([&](unsigned) { return rootReplica; })}}, name));
  return result;
}

}  // namespace gcl
