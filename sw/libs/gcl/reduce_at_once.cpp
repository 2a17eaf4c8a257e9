#include "sw/libs/gcl/reduce_at_once.h"

#include <popops/ElementWise.hpp>
#include <popops/Expr.hpp>
#include <vector>

#include "sw/libs/gcl/gather.h"
#include "sw/libs/gcl/operators.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

namespace {

// In the order of ranks.
void reduce_gathered(Graph& graph, const Tensor& data, CollectiveOperator op, const Ranks& ranks, Sequence& prog,
                     const DebugContext& debugContext) {
  const Tensor all = gather(graph, data, ranks, prog, debugContext);
  std::vector<Tensor> operands;
  for (unsigned rank = 0; rank < ranks.size(); ++rank) operands.push_back(all[rank]);
  combine(graph, operands, op, prog, {debugContext, "combine"});
  complete(graph, all[0], ranks.size(), op, prog, {debugContext, "complete"});
  prog.add(Copy(all[0], data.flatten(), false, debugContext));
}

}  // namespace

// With a power of 2 of ranks the k-th that a rank gets is of the rank that differs in the bits of k. Combined in pairs
// of neighbours, and these in pairs, that gives all ranks the same: only operands change places.
void reduce_at_once(Graph& graph, const Tensor& data, CollectiveOperator op, const Ranks& ranks, Sequence& prog,
                    const DebugContext& debugContext) {
  const unsigned n = ranks.size();
  if (n == 1) return complete(graph, data, n, op, prog, debugContext);
  if ((n & (n - 1)) != 0) return reduce_gathered(graph, data, op, ranks, prog, debugContext);
  std::vector<Tensor> operands = {data};
  for (unsigned k = 1; k < n; ++k)
    operands.push_back(
        graph.clone(data, {debugContext, "got"}, poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES));
  std::vector<tessera::ReplicaCopy> copies;  // the farthest first
  for (unsigned k = n; --k > 0;)
    copies.push_back({{data}, {operands[k]}, ranks.senders([k](unsigned rank) { return rank ^ k; })});
  prog.add(tessera::ReplicaCopies(copies, debugContext));
  popops::mapInPlace(graph, in_pairs(op, n), operands, prog, {debugContext, "combine"});
}

}  // namespace gcl
