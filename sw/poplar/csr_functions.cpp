// Float control of the tiles (CSR xfpictl of the supervisor, docs/reference/control.md: Before the start).
#include <poplar/CSRFunctions.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/worker_start.h"

namespace poplar {
namespace {

constexpr const char* kFloatControlSource = R"(
#include <poplar/Vertex.hpp>
#include <tessera/xipu.h>

namespace poplar_float_control {

inline unsigned exchange(unsigned clear, unsigned set) {
  unsigned before;
  __asm__ volatile("csrr %0, %1" : "=r"(before) : "i"(TESSERA_CSR_XFPICTL));
  const unsigned after = (before & ~clear) | set;
  __asm__ volatile("csrw %1, %0" ::"r"(after), "i"(TESSERA_CSR_XFPICTL));
  return before;
}

class Modify : public poplar::SupervisorVertex {
 public:
  poplar::Output<unsigned> before;
  unsigned clear, set;
  void compute() { *before = exchange(clear, set); }
};

class Restore : public poplar::SupervisorVertex {
 public:
  poplar::Input<unsigned> before;
  void compute() { exchange(~0u, *before); }
};

}  // namespace poplar_float_control
)";

using tessera::runtime::HalfOverflow;
using tessera::runtime::WorkerStart;

// The bits of the flags that are true; a half's overflow as `overflow` where nanoo is.
std::uint32_t bits_of(const FloatingPointBehaviour& flags, std::uint32_t overflow) {
  return (flags.inv ? WorkerStart::kTrapInvalid : 0) | (flags.div0 ? WorkerStart::kTrapDivision : 0) |
         (flags.oflo ? WorkerStart::kTrapOverflow : 0) | (flags.esr ? WorkerStart::kStochastic : 0) |
         (flags.nanoo ? overflow << WorkerStart::kHalfOverflowShift : 0);
}

void add_float_control(Graph& graph) {
  if (graph.hasCodelet("poplar_float_control::Modify")) return;
  std::stringstream source(kFloatControlSource);
  graph.addCodelets(source);
}

}  // namespace

Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const FloatingPointBehaviour& clear,
                                          const FloatingPointBehaviour& set, const DebugContext& debugContext) {
  constexpr auto kNan = static_cast<std::uint32_t>(HalfOverflow::kNan);
  constexpr auto kLargest = static_cast<std::uint32_t>(HalfOverflow::kLargest);
  add_float_control(graph);
  const unsigned tiles = graph.getTarget().getNumTiles();
  const DebugContext context(debugContext, "floatControl");
  const Tensor before = graph.addVariable(UNSIGNED_INT, {tiles}, context);
  const ComputeSet cs = graph.addComputeSet(context);
  const FloatingPointBehaviour either(clear.inv || set.inv, clear.div0 || set.div0, clear.oflo || set.oflo,
                                      clear.esr || set.esr, clear.nanoo || set.nanoo);
  const std::uint32_t cleared = clear.nanoo && !set.nanoo ? kLargest << WorkerStart::kHalfOverflowShift : 0;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const VertexRef v = graph.addVertex(cs, "poplar_float_control::Modify", {{"before", before[tile]}});
    graph.setInitialValue(v["clear"], bits_of(either, WorkerStart::kHalfOverflowMask));
    graph.setInitialValue(v["set"], bits_of(set, kNan) | cleared);
    graph.setTileMapping(v, tile);
    graph.setTileMapping(before[tile], tile);
  }
  prog.add(program::Execute(cs, context));
  return before;
}

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext) {
  getAndModifyFloatingPointBehaviour(graph, prog, !behaviour, behaviour, debugContext);
}

void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable, const DebugContext& debugContext) {
  const FloatingPointBehaviour none(false, false, false, false, false), rounding(false, false, false, true, false);
  getAndModifyFloatingPointBehaviour(graph, prog, enable ? none : rounding, enable ? rounding : none, debugContext);
}

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const Tensor& behaviour,
                               const DebugContext& debugContext) {
  const unsigned tiles = graph.getTarget().getNumTiles();
  if (behaviour.numElements() != tiles || behaviour.elementType() != UNSIGNED_INT)
    throw poplar_error("setFloatingPointBehaviour: '" + behaviour.getDebugStr() +
                       "' is not what getAndModifyFloatingPointBehaviour gave for this graph");
  add_float_control(graph);
  const DebugContext context(debugContext, "floatControl");
  const ComputeSet cs = graph.addComputeSet(context);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const VertexRef v = graph.addVertex(cs, "poplar_float_control::Restore", {{"before", behaviour.flatten()[tile]}});
    graph.setTileMapping(v, tile);
  }
  prog.add(program::Execute(cs, context));
}

}  // namespace poplar
