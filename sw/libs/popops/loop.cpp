// Loops that count in a tensor.
#include <limits>

#include <popops/ElementWise.hpp>
#include <popops/Fill.hpp>
#include <popops/Loop.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/instantiated.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Program;
using poplar::program::Sequence;

namespace {

Tensor new_count(Graph& graph, const poplar::Type& type, const DebugContext& debugContext) {
  const Tensor count = graph.addVariable(type, {}, {debugContext, "count"});
  graph.setTileMapping(count, 0);
  return count;
}

void check_counts(const char* function, const Tensor& count, const Tensor& limit) {
  const poplar::Type type = count.elementType();
  for (const Tensor* t : {&count, &limit}) {
    if (t->numElements() != 1 || t->elementType() != type || (type != poplar::INT && type != poplar::UNSIGNED_INT))
      throw poputil::poplibs_error(std::string(function) + ": '" + t->getDebugStr() +
                                   "' is not one element of the count's type, int or unsigned int");
  }
}

}  // namespace

Sequence countedLoop(Graph& graph, std::size_t begin, std::size_t end, std::size_t step,
                     const CountedLoopBodyType& body, const DebugContext& debugContext) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  if (step == 0 || end < begin || end > kMost || step > kMost)
    throw poputil::poplibs_error("countedLoop: from " + std::to_string(begin) + " to " + std::to_string(end) +
                                 " by steps of " + std::to_string(step));
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(begin, end, step));
  const Tensor count = new_count(graph, poplar::INT, {info});
  Sequence all({}, {info});
  fill(graph, count, all, static_cast<int>(begin), {info});
  Sequence turn({}, {info});
  turn.add(body(count));
  addInPlace(graph, count, static_cast<int>(step), turn, {info});
  all.add(poplar::program::Repeat(static_cast<unsigned>((end - begin + step - 1) / step), turn, {info}));
  return all;
}

Sequence countedLoop(Graph& graph, std::size_t count, const CountedLoopBodyType& body,
                     const DebugContext& debugContext) {
  return countedLoop(graph, 0, count, 1, body, debugContext);
}

Tensor addForLoopCounterVertex(Graph& graph, const Tensor& count, const Tensor& countLimit, int countStep,
                               unsigned tile, Sequence& prog, const DebugContext& di) {
  check_counts("addForLoopCounterVertex", count, countLimit);
  const poplar::Type type = count.elementType();
  const Tensor more = graph.addVariable(poplar::UNSIGNED_INT, {}, {di, "more"});
  graph.setTileMapping(more, tile);
  const poplar::ComputeSet cs = graph.addComputeSet({di, "count"});
  const poplar::VertexRef v =
      graph.addVertex(cs, instantiated(graph, "counting.h", poputil::templateVertex("popops::CountOn", type)));
  graph.setTileMapping(v, tile);
  graph.connect(v["count"], count.reshape({}));
  graph.connect(v["limit"], countLimit.reshape({}));
  graph.connect(v["more"], more);
  if (type == poplar::INT)
    graph.setInitialValue(v["step"], countStep);
  else
    graph.setInitialValue(v["step"], static_cast<unsigned>(countStep));
  prog.add(poplar::program::Execute(cs, di));
  return more;
}

Sequence countedForLoop(Graph& graph, const Tensor& count, int initialCount, const Tensor& countLimit, int countStep,
                        const Program& body, const DebugContext& debugContext) {
  check_counts("countedForLoop", count, countLimit);
  if (countStep == 0) throw poputil::poplibs_error("countedForLoop: a step of 0");
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(count, initialCount, countLimit, countStep));
  const Tensor scalar = count.reshape({});
  Sequence all({}, {info});
  fill(graph, scalar, all, initialCount, {info});
  Sequence condition({}, {info});
  const auto op = countStep > 0 ? expr::BinaryOpType::LESS_THAN : expr::BinaryOpType::GREATER_THAN;
  const Tensor more = map(graph, op, scalar, countLimit.reshape({}), condition, {info, "more"});
  Sequence turn({}, {info});
  turn.add(body);
  addInPlace(graph, scalar, countStep, turn, {info});
  all.add(poplar::program::RepeatWhileTrue(condition, more, turn, {info}));
  return all;
}

Sequence countedForLoop(Graph& graph, int initialCount, const Tensor& countLimit, int countStep, const Program& body,
                        const DebugContext& debugContext) {
  return countedForLoop(graph, new_count(graph, countLimit.elementType(), debugContext), initialCount, countLimit,
                        countStep, body, debugContext);
}

}  // namespace popops
