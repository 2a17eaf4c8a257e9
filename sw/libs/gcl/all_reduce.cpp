#include <gcl/Collectives.hpp>
#include <map>
#include <poputil/exceptions.hpp>
#include <string>

#include "sw/libs/gcl/gather.h"
#include "sw/libs/gcl/operators.h"
#include "sw/libs/gcl/options.h"
#include "sw/libs/gcl/reduce_scatter.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

namespace {

// Of all ranks, combined in the order of ranks: flat.
Tensor reduced_at_once(Graph& graph, const Tensor& data, CollectiveOperator op, const Ranks& ranks, Sequence& prog,
                       const DebugContext& debugContext) {
  const Tensor all = gather(graph, prepared(graph, data, op, prog, debugContext), ranks, prog, debugContext);
  for (unsigned rank = 1; rank < ranks.size(); ++rank)
    combine(graph, all[0], all[rank], op, prog, {debugContext, "combine" + std::to_string(rank)});
  complete(graph, all[0], ranks.size(), op, prog, {debugContext, "complete"});
  return all[0];
}

std::size_t bytes_of(const Graph& graph, const Tensor& data) {
  return data.numElements() * graph.getTarget().getTypeSize(data.elementType());
}

}  // namespace

void allReduceToDestinationCrossReplica(Graph& graph, const Tensor& data, const Tensor& destination,
                                        CollectiveOperator op, Sequence& prog, const CommGroup& group,
                                        const DebugContext& debugContext, const OptionFlags& options) {
  const Method method = method_of(options);
  check_operator(op, data.elementType(), "allReduceCrossReplica");
  const Ranks ranks(graph, group, "allReduceCrossReplica");
  if (data.shape() != destination.shape() || data.elementType() != destination.elementType())
    throw poputil::poplibs_error("allReduceToDestinationCrossReplica: destination is of shape " +
                                 destination.shapeToString() + ", data of " + data.shapeToString());
  const DebugContext name(debugContext, "allReduce");
  if (op == CollectiveOperator::LOCAL || data.numElements() == 0) {
    if (destination != data) prog.add(Copy(data, destination, false, name));
    return;
  }
  Tensor all;
  if (by_ring(method, bytes_of(graph, data), ranks.size()))
    all = gather(graph, reduce_scatter(graph, data, op, ranks, prog, name), ranks, prog, name).flatten();
  else
    all = reduced_at_once(graph, data, op, ranks, prog, name);
  prog.add(Copy(all.slice(0, data.numElements()), destination.flatten(), false, name));
}

Tensor allReduceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op, Sequence& prog,
                             const CommGroup& group, const DebugContext& debugContext, const OptionFlags& options) {
  const Tensor result = graph.clone(data, {debugContext, "allReduced"});
  allReduceToDestinationCrossReplica(graph, data, result, op, prog, group, debugContext, options);
  return result;
}

Tensor allReduceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op, Sequence& prog,
                             const DebugContext& debugContext, const OptionFlags& options) {
  return allReduceCrossReplica(graph, data, op, prog, CommGroup(), debugContext, options);
}

std::vector<Tensor> allReduceCrossReplica(Graph& graph, const std::vector<Tensor>& datas, CollectiveOperator op,
                                          Sequence& prog, const CommGroup& group, const DebugContext& debugContext,
                                          const OptionFlags& options) {
  std::vector<Tensor> results;
  for (const Tensor& data : datas) {
    results.push_back(graph.clone(data, {debugContext, "allReduced"}));
    prog.add(Copy(data, results.back(), false, debugContext));
  }
  allReduceInPlaceCrossReplica(graph, results, op, prog, group, debugContext, options);
  return results;
}

std::vector<Tensor> allReduceCrossReplica(Graph& graph, const std::vector<Tensor>& datas, CollectiveOperator op,
                                          Sequence& prog, const DebugContext& debugContext,
                                          const OptionFlags& options) {
  return allReduceCrossReplica(graph, datas, op, prog, CommGroup(), debugContext, options);
}

void allReduceInPlaceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op, Sequence& prog,
                                  const CommGroup& group, const DebugContext& debugContext,
                                  const OptionFlags& options) {
  allReduceToDestinationCrossReplica(graph, data, data, op, prog, group, debugContext, options);
}

void allReduceInPlaceCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op, Sequence& prog,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  allReduceInPlaceCrossReplica(graph, data, op, prog, CommGroup(), debugContext, options);
}

void allReduceInPlaceCrossReplica(Graph& graph, const std::vector<Tensor>& datas, CollectiveOperator op, Sequence& prog,
                                  const CommGroup& group, const DebugContext& debugContext,
                                  const OptionFlags& options) {
  std::map<std::string, std::vector<Tensor>> by_type;
  for (const Tensor& data : datas) by_type[data.elementType().toString()].push_back(data.flatten());
  for (const auto& [type, parts] : by_type)
    allReduceInPlaceCrossReplica(graph, poplar::concat(parts), op, prog, group, debugContext, options);
}

void allReduceInPlaceCrossReplica(Graph& graph, const std::vector<Tensor>& datas, CollectiveOperator op, Sequence& prog,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  allReduceInPlaceCrossReplica(graph, datas, op, prog, CommGroup(), debugContext, options);
}

}  // namespace gcl
