#include "sw/libs/gcl/reduce_scatter.h"

#include <gcl/Collectives.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/Zero.hpp>
#include <string>
#include <vector>

#include "sw/libs/gcl/operators.h"
#include "sw/libs/gcl/options.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

namespace {

// {n, elements of a part}, where all that a rank chooses between is on one tile.
Tensor in_parts(Graph& graph, const Tensor& data, unsigned n, Sequence& prog, const DebugContext& debugContext) {
  const std::size_t elements = data.numElements(), part = (elements + n - 1) / n;
  const Tensor parts =
      popops::createSliceableTensor(graph, data.elementType(), {n, part}, {0}, {1}, 0, {debugContext, "parts"});
  const Tensor flat = parts.flatten();
  prog.add(Copy(data.flatten(), flat.slice(0, elements), false, {debugContext, "parts"}));
  if (elements < n * part) popops::zero(graph, flat.slice(elements, n * part), prog, {debugContext, "padding"});
  return parts;
}

}  // namespace

// Each part goes to its rank at once.
Tensor reduce_scatter(Graph& graph, const Tensor& data, CollectiveOperator op, const Ranks& ranks, Sequence& prog,
                      const DebugContext& debugContext) {
  const unsigned n = ranks.size();
  const Tensor parts = in_parts(graph, prepared(graph, data, op, prog, debugContext), n, prog, debugContext);
  std::vector<tessera::ReplicaCopy> copies;
  std::vector<Tensor> got;
  for (unsigned step = 0; step < (op == CollectiveOperator::LOCAL ? 1 : n); ++step) {
    got.push_back(graph.clone(parts[0], {debugContext, "got"}));
    copies.push_back(ranks.shifted(
        step, [&](unsigned rank) { return parts[(rank + step) % n]; }, [&](unsigned) { return got.back(); }));
  }
  prog.add(tessera::ReplicaCopies(copies, debugContext));
  if (op == CollectiveOperator::LOCAL) return got[0].flatten();
  combine(graph, got, op, prog, {debugContext, "combine"});
  complete(graph, got[0], n, op, prog, {debugContext, "complete"});
  return got[0].flatten();
}

Tensor reduceScatterCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op, Sequence& prog,
                                 const CommGroup& group, const DebugContext& debugContext, const OptionFlags& options) {
  check_no_turns(options, "reduceScatterCrossReplica");
  check_operator(op, data.elementType(), "reduceScatterCrossReplica");
  const Ranks ranks(graph, group, "reduceScatterCrossReplica");
  return reduce_scatter(graph, data, op, ranks, prog, {debugContext, "reduceScatter"});
}

Tensor reduceScatterCrossReplica(Graph& graph, const Tensor& data, CollectiveOperator op, Sequence& prog,
                                 const DebugContext& debugContext, const OptionFlags& options) {
  return reduceScatterCrossReplica(graph, data, op, prog, CommGroup(), debugContext, options);
}

}  // namespace gcl
