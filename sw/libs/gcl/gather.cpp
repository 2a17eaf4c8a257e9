#include "sw/libs/gcl/gather.h"

#include <gcl/Collectives.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <utility>

#include "sw/libs/gcl/options.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

Tensor gather(Graph& graph, const Tensor& part, const Ranks& ranks, Sequence& prog, const DebugContext& debugContext) {
  const Tensor row = part.flatten().expand({0});
  const Tensor all =
      popops::createSliceableTensorFromSlice(graph, row, {0}, {ranks.size()}, {debugContext, "gathered"});
  Tensor here = graph.clone(row, {debugContext, "here"}), next = graph.clone(row, {debugContext, "next"});
  prog.add(Copy(row, here, false, debugContext));
  for (unsigned step = 0; step < ranks.size(); ++step) {
    if (step > 0) {
      prog.add(ranks.send(here, next, 1, {debugContext, "step" + std::to_string(step)}));
      std::swap(here, next);
    }
    popops::dynamicUpdate(graph, all, here, ranks.before(step, debugContext.getPathName() + "/rank"), {0}, {1}, prog,
                          {debugContext, "place" + std::to_string(step)});
  }
  return all;
}

Tensor allGatherCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, const CommGroup& group,
                             const DebugContext& debugContext, const OptionFlags& options) {
  method_of(options);
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
  method_of(options);
  const Ranks ranks(graph, group, "broadcastCrossReplica");
  if (rootReplica >= ranks.size())
    throw poputil::poplibs_error("broadcastCrossReplica: rootReplica " + std::to_string(rootReplica) +
                                 " of a group of " + std::to_string(ranks.size()));
  const DebugContext name(debugContext, "broadcast");
  const Tensor result = graph.clone(data, name, poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  prog.add(Copy(gather(graph, data, ranks, prog, name)[rootReplica], result.flatten(), false, name));
  return result;
}

}  // namespace gcl
