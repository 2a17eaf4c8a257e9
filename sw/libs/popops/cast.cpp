#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>

#include "sw/libs/popops/element_wise_input.h"
#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/types.h"

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

Tensor checkAccuracyWhenCast(Graph& graph, const Tensor& input, Type outputType, double tolerance, Sequence& prog,
                             const DebugContext& debugContext) {
  if (input.elementType() != poplar::FLOAT || input.numElements() != 1 || outputType != poplar::HALF)
    fail("checkAccuracyWhenCast", input,
         "of type " + text_of(input.elementType()) + " to " + text_of(outputType) + "; it is for one float to half");
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(input, outputType, tolerance));
  constexpr float kMost = 65504;
  const expr::Clamp in_range(expr::_1, expr::Const(-kMost), expr::Const(kMost));
  const expr::Cast kept(expr::Cast(in_range, poplar::HALF), poplar::FLOAT);
  const Tensor out = map_inputs(
      graph,
      expr::Abs(expr::_1) <= kMost && expr::Abs(expr::_1) * static_cast<float>(tolerance) > expr::Abs(kept - expr::_1),
      {input.reshape({})}, prog, {info});
  info.addOutput(out);
  return out;
}

}  // namespace popops
