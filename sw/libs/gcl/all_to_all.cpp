#include <gcl/Collectives.hpp>
#include <popops/DynamicSlice.hpp>
#include <poputil/exceptions.hpp>
#include <vector>

#include "sw/libs/gcl/options.h"
#include "sw/libs/gcl/ranks.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

Tensor allToAllCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, const CommGroup& group,
                            const DebugContext& debugContext, const OptionFlags& options) {
  check_no_turns(options, "allToAllCrossReplica");
  const Ranks ranks(graph, group, "allToAllCrossReplica");
  const unsigned n = ranks.size();
  if (data.rank() == 0 || data.dim(0) != n)
    throw poputil::poplibs_error("allToAllCrossReplica: data of shape " + data.shapeToString() +
                                 " has no entry for each of " + std::to_string(n) + " replicas");
  const DebugContext name(debugContext, "allToAll");
  const Tensor rows = popops::createSliceableTensor(graph, data.elementType(), {n, data.numElements() / n}, {0}, {1}, 0,
                                                    {name, "rows"});
  const Tensor result = graph.clone(rows, {name, "result"});
  prog.add(Copy(data.flatten(), rows.flatten(), false, name));
  std::vector<tessera::ReplicaCopy> copies;
  for (unsigned step = 0; step < n; ++step)
    copies.push_back(ranks.shifted(
        step, [&](unsigned rank) { return rows[(rank + step) % n]; },
        [&](unsigned rank) { return result[(rank + n - step) % n]; }));
  prog.add(tessera::ReplicaCopies(copies, name));
  return result.reshape(data.shape());
}

Tensor allToAllCrossReplica(Graph& graph, const Tensor& data, Sequence& prog, const DebugContext& debugContext,
                            const OptionFlags& options) {
  return allToAllCrossReplica(graph, data, prog, CommGroup(), debugContext, options);
}

}  // namespace gcl
