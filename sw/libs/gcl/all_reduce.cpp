#include <gcl/Collectives.hpp>
#include <map>
#include <poputil/exceptions.hpp>
#include <string>

#include "sw/libs/gcl/operators.h"
#include "sw/libs/gcl/options.h"
#include "sw/libs/gcl/reduce_at_once.h"
#include "sw/libs/gcl/reduce_in_turns.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

namespace {

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
  if (op == CollectiveOperator::SQUARE_ADD)
    prog.add(Copy(prepared(graph, data, op, prog, name), destination, false, name));
  else if (destination != data)
    prog.add(Copy(data, destination, false, name));
  const std::vector<Turns> ways = ways_of(method, bytes_of(graph, data), ranks.size());
  if (ways.empty())
    reduce_at_once(graph, destination.flatten(), op, ranks, prog, name);
  else
    reduce_in_turns(graph, destination.flatten(), op, ranks, ways, prog, name);
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
