// How tiles compute with floats, changed by a program: which events are exceptions, how results are rounded.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

struct FloatingPointBehaviour {
  bool inv = true;    // an invalid operation is an exception
  bool div0 = true;   // a division by zero is
  bool oflo = true;   // an overflow is
  bool esr = true;    // halves are rounded stochastically
  bool nanoo = true;  // a half that overflows becomes a NaN; else the largest half

  FloatingPointBehaviour() = default;
  FloatingPointBehaviour(bool inv, bool div0, bool oflo, bool esr, bool nanoo)
      : inv(inv), div0(div0), oflo(oflo), esr(esr), nanoo(nanoo) {}
  FloatingPointBehaviour operator!() const { return FloatingPointBehaviour(!inv, !div0, !oflo, !esr, !nanoo); }
};

// On all tiles of the graph, from this point of the sequence on.
void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext = {});
void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable, const DebugContext& debugContext = {});
// Changes what is true in `clear` to false, then what is true in `set` to true, and gives what was there before; the
// second function puts it back.
Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const FloatingPointBehaviour& clear,
                                          const FloatingPointBehaviour& set, const DebugContext& debugContext = {});
void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const Tensor& behaviour,
                               const DebugContext& debugContext = {});

}  // namespace poplar
