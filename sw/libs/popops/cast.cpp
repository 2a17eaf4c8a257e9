#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>

#include "sw/libs/popops/element_wise_input.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;

namespace {

expr::Cast to(Type type) { return expr::Cast(expr::_1, type); }

}  // namespace

Tensor cast(Graph& graph, const Tensor& src, const Type& dstType, Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(src, dstType));
  const Tensor out = map_inputs(graph, to(dstType), {src}, prog, {info});
  info.addOutput(out);
  return out;
}

Tensor cast(Graph& graph, Tensor src, const Type& dstType, poplar::ComputeSet cs, const DebugContext& debugContext) {
  const Tensor out = graph.clone(dstType, src, debugContext);
  map_in_compute_set(graph, to(dstType), {src}, out, cs);
  return out;
}

poplar::program::Program cast(Graph& graph, Tensor src, Tensor dst, const DebugContext& debugContext) {
  Sequence prog(debugContext);
  castWithOutput(graph, src, dst, prog, debugContext);
  return prog;
}

void cast(Graph& graph, Tensor src, Tensor dst, poplar::ComputeSet cs) {
  map_in_compute_set(graph, to(dst.elementType()), {src}, dst, cs);
}

void castWithOutput(Graph& graph, const Tensor& src, const Tensor& dst, Sequence& prog,
                    const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(src, dst));
  map_to_output(graph, to(dst.elementType()), {src}, dst, prog, {info});
}

}  // namespace popops
