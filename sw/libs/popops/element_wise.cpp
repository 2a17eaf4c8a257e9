// The public functions of element-wise operations.
#include <algorithm>

#include <popops/ElementWise.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/element_wise_input.h"
#include "sw/libs/popops/operators.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

void check_element_wise_options(const OptionFlags& options) {
  const poplibs::OptionSpec none({});
  for (const auto& option : options) none.parse(option.first, option.second);
}

Tensor map(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts, Sequence& prog,
           const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(ts, options));
  check_element_wise_options(options);
  const Tensor out = map_inputs(graph, expr, {ts.begin(), ts.end()}, prog, {info});
  info.addOutput(out);
  return out;
}

void mapWithOutput(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts, const Tensor& out,
                   Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(ts, out, options));
  check_element_wise_options(options);
  map_to_output(graph, expr, {ts.begin(), ts.end()}, out, prog, {info});
}

void mapInPlace(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts, Sequence& prog,
                const DebugContext& debugContext, const OptionFlags& options) {
  if (ts.empty()) throw poputil::poplibs_error("mapInPlace: no tensors");
  mapWithOutput(graph, expr, ts, ts[0], prog, debugContext, options);
}

std::vector<Tensor> map(Graph& graph, const std::vector<expr::Any>& exprs, const std::vector<Tensor>& ts,
                        Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  std::vector<Tensor> out;
  for (const expr::Any& expr : exprs) out.push_back(map(graph, expr, ts, prog, debugContext, options));
  return out;
}

void mapWithOutput(Graph& graph, const std::vector<expr::Any>& exprs, const std::vector<Tensor>& ts,
                   const std::vector<Tensor>& outs, Sequence& prog, const DebugContext& debugContext,
                   const OptionFlags& options) {
  if (exprs.size() != outs.size())
    throw poputil::poplibs_error("mapWithOutput: " + std::to_string(exprs.size()) + " expressions for " +
                                 std::to_string(outs.size()) + " outputs");
  // Every expression sees what was there before: results wait in tensors of their own where an input is written.
  std::vector<Tensor> waiting(outs);
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const auto read = [&](const Tensor& t) { return t.intersectsWith(outs[i]); };
    if (exprs.size() > 1 && std::any_of(ts.begin(), ts.end(), read))
      waiting[i] = graph.clone(outs[i], {debugContext, "waiting"});
    mapWithOutput(graph, exprs[i], ts, waiting[i], prog, debugContext, options);
  }
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    if (waiting[i] != outs[i]) prog.add(poplar::program::Copy(waiting[i], outs[i], false, debugContext));
  }
}

void mapInPlace(Graph& graph, const std::vector<expr::Any>& exprs, const std::vector<Tensor>& ts, Sequence& prog,
                const DebugContext& debugContext, const OptionFlags& options) {
  if (exprs.size() > ts.size())
    throw poputil::poplibs_error("mapInPlace: " + std::to_string(exprs.size()) + " expressions for " +
                                 std::to_string(ts.size()) + " tensors");
  const std::vector<Tensor> outs(ts.begin(), ts.begin() + static_cast<std::ptrdiff_t>(exprs.size()));
  mapWithOutput(graph, exprs, ts, outs, prog, debugContext, options);
}

namespace detail {

Tensor mapNumber(Graph& graph, expr::BinaryOpType op, const Tensor& t, const Number& number, bool numberFirst,
                 Tensor out, Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  const poplar::Type type = t.elementType();
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(op, t, options));
  check_element_wise_options(options);
  if (number.traits.isFloat && !takes(Operands::kFloat, type))
    throw poputil::poplibs_error(std::string(describe(op).name) + ": a number with a point beside '" + t.getDebugStr() +
                                 "' of type " + text_of(type));
  const expr::BinaryOp expr =
      numberFirst ? expr::BinaryOp(op, expr::_2, expr::_1) : expr::BinaryOp(op, expr::_1, expr::_2);
  const std::vector<Input> inputs = {Input(t), Input(number, type)};
  if (!out.valid()) return map_inputs(graph, expr, inputs, prog, {info});
  map_to_output(graph, expr, inputs, out, prog, {info});
  return out;
}

}  // namespace detail
}  // namespace popops

namespace poputil {

template <>
poplar::ProfileValue toProfileValue(const popops::expr::UnaryOpType& op) {
  return poplar::ProfileValue(popops::describe(op).name);
}
template <>
poplar::ProfileValue toProfileValue(const popops::expr::BinaryOpType& op) {
  return poplar::ProfileValue(popops::describe(op).name);
}
template <>
poplar::ProfileValue toProfileValue(const popops::expr::TernaryOpType& op) {
  return poplar::ProfileValue(popops::name_of(op));
}

}  // namespace poputil
