// Collectives between the IPUs of a replica.
#include <algorithm>
#include <gcl/Collectives.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <vector>

#include "sw/libs/gcl/operators.h"
#include "sw/libs/gcl/options.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::OptionFlags, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;

namespace {

unsigned check_rows(const Graph& graph, const Tensor& rows, CollectiveOperator op, const char* collective) {
  const unsigned n = graph.getTarget().getNumIPUs();
  if (rows.rank() == 0 || rows.dim(0) != n)
    throw poputil::poplibs_error(std::string(collective) + ": toReduce of shape " + rows.shapeToString() +
                                 " has no row for each of " + std::to_string(n) + " IPUs");
  check_operator(op, rows.elementType(), collective);
  return n;
}

// `senders[i]` to a new tensor that is laid out as `like`, all in one phase, and those brought together in the first.
Tensor bring_together(Graph& graph, const std::vector<Tensor>& senders, const Tensor& like, CollectiveOperator op,
                      Sequence& prog, const DebugContext& debugContext) {
  std::vector<Tensor> got, sent;
  for (const Tensor& sender : senders) {
    got.push_back(graph.clone(like, {debugContext, "got"}, poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES));
    sent.push_back(sender.flatten());
  }
  std::vector<Tensor> to;
  for (const Tensor& t : got) to.push_back(t.flatten());
  prog.add(Copy(concat(sent), concat(to), false, debugContext));
  if (op == CollectiveOperator::LOCAL) return got[0];
  combine(graph, got, op, prog, {debugContext, "combine"});
  complete(graph, got[0], static_cast<unsigned>(got.size()), op, prog, {debugContext, "complete"});
  return got[0];
}

struct Parts {
  unsigned n;
  std::size_t each, elements;
  poplar::Interval operator[](unsigned i) const {
    return {std::min(i * each, elements), std::min((i + 1) * each, elements)};
  }
};

// The rows brought together, flat: part i is where row i is.
Tensor reduce_parts(Graph& graph, const Tensor& rows, const Parts& parts, CollectiveOperator op, Sequence& prog,
                    const DebugContext& debugContext) {
  std::vector<Tensor> of_rows, senders;
  for (unsigned i = 0; i < parts.n; ++i) of_rows.push_back(rows[i].flatten().slice(parts[i]));
  const Tensor like = concat(of_rows);
  if (op == CollectiveOperator::LOCAL) return bring_together(graph, {like}, like, op, prog, debugContext);
  for (unsigned i = 0; i < parts.n; ++i) senders.push_back(rows[i]);
  return bring_together(graph, senders, like, op, prog, debugContext);
}

Parts parts_of(const Tensor& rows) {
  const std::size_t n = rows.dim(0), elements = rows[0].numElements();
  return {static_cast<unsigned>(n), (elements + n - 1) / n, elements};
}

}  // namespace

Tensor allReduceWithinReplica(Graph& graph, const Tensor& toReduce, CollectiveOperator op, Sequence& prog,
                              const DebugContext& debugContext, const OptionFlags& options) {
  check_no_turns(options, "allReduceWithinReplica");
  const unsigned n = check_rows(graph, toReduce, op, "allReduceWithinReplica");
  const DebugContext name(debugContext, "allReduce");
  if (op == CollectiveOperator::LOCAL || toReduce.numElements() == 0)
    return bring_together(graph, {toReduce}, toReduce, CollectiveOperator::LOCAL, prog, name);
  const Tensor rows = prepared(graph, toReduce, op, prog, name);
  const std::size_t bytes = rows[0].numElements() * graph.getTarget().getTypeSize(rows.elementType());
  if (bytes <= kSmallBytes || method_of(options) == Method::kBroadcast) {
    std::vector<Tensor> senders;
    for (unsigned i = 0; i < n; ++i) senders.push_back(rows[i].expand({0}).broadcast(n, 0));
    return bring_together(graph, senders, toReduce, op, prog, name);
  }
  const Tensor reduced = reduce_parts(graph, rows, parts_of(rows), op, prog, name);
  const Tensor result =
      graph.clone(toReduce, {name, "result"}, poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  prog.add(Copy(reduced.expand({0}).broadcast(n, 0).flatten(), result.flatten(), false, name));
  return result;
}

Chunks reduceScatterWithinReplica(Graph& graph, const Tensor& toReduce, CollectiveOperator op, Sequence& prog,
                                  const DebugContext& debugContext, const OptionFlags& options) {
  check_no_turns(options, "reduceScatterWithinReplica");
  const unsigned n = check_rows(graph, toReduce, op, "reduceScatterWithinReplica");
  const DebugContext name(debugContext, "reduceScatter");
  const Parts parts = parts_of(toReduce);
  const Tensor reduced = reduce_parts(graph, prepared(graph, toReduce, op, prog, name), parts, op, prog, name);
  Chunks chunks(n);
  for (unsigned i = 0; i < n; ++i) chunks.chunks[i] = Chunk(reduced.slice(parts[i]), i, 0);
  chunks.originalInput = toReduce;
  return chunks;
}

Tensor allGatherWithinReplica(Graph& graph, const Chunks& toGather, Sequence& prog, const DebugContext& debugContext,
                              const OptionFlags& options) {
  check_no_turns(options, "allGatherWithinReplica");
  if (toGather.chunks.empty()) throw poputil::poplibs_error("allGatherWithinReplica: there are no chunks");
  std::vector<Chunk> chunks = toGather.chunks;
  std::ranges::stable_sort(chunks, {}, [](const Chunk& c) { return std::pair(c.index, c.offset); });
  std::vector<Tensor> tensors;
  for (const Chunk& chunk : chunks) {
    if (chunk.tensor.elementType() != chunks[0].tensor.elementType())
      throw poputil::poplibs_error("allGatherWithinReplica: chunks of types " +
                                   chunks[0].tensor.elementType().toString().cloneAsString() + " and " +
                                   chunk.tensor.elementType().toString().cloneAsString());
    tensors.push_back(chunk.tensor.flatten());
  }
  const DebugContext name(debugContext, "allGather");
  const Tensor all = concat(tensors), &input = toGather.originalInput;
  const unsigned n = graph.getTarget().getNumIPUs();
  Tensor result;
  if (input.valid() && input.rank() > 0 && input.dim(0) == n && input.numElements() == n * all.numElements() &&
      input.elementType() == all.elementType() && !input.containsAliases()) {
    result = graph.clone(input.reshape({n, all.numElements()}), {name, "result"});
  } else {
    result = graph.addVariable(all.elementType(), {n, all.numElements()}, {name, "result"});
    const unsigned tiles = graph.getTarget().getTilesPerIPU();
    for (unsigned ipu = 0; ipu < n; ++ipu) {
      Graph of_ipu = graph.createVirtualGraph(ipu * tiles, (ipu + 1) * tiles);
      poputil::mapTensorLinearly(of_ipu, result[ipu]);
    }
  }
  prog.add(Copy(all.expand({0}).broadcast(n, 0).flatten(), result.flatten(), false, name));
  return result;
}

}  // namespace gcl
