#include <cmath>
#include <popops/ElementWise.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <optional>

#include "sw/libs/popops/element_wise_input.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;

namespace {

// A number, or a tensor of one element.
struct Scale {
  std::optional<float> number;
  Tensor tensor;
  Scale(float value) : number(value) {}
  Scale(const Tensor& t) : tensor(t) {}
  Type type() const { return number ? poplar::FLOAT : tensor.elementType(); }
};

double tolerance_of(const OptionFlags& options) {
  double tolerance = 1e-6;
  bool fast = true;  // there is one way, which is the fastest
  const poplibs::OptionSpec spec{
      {"scaleFloatToHalfTolerance", poplibs::OptionHandler::createWithDouble(tolerance, 0.0)},
      {"optimizeForSpeed", poplibs::OptionHandler::createWithBool(fast)}};
  for (const auto& option : options) spec.parse(option.first, option.second);
  return tolerance;
}

// The scale as an input of the type that all is computed in, if it has or takes that type.
std::optional<Input> in_type(const Graph& graph, const Scale& scale, Type type, double tolerance) {
  if (!scale.number) return scale.tensor.elementType() == type ? std::optional<Input>(scale.tensor) : std::nullopt;
  const float value = *scale.number;
  bool taken = true;
  if (type == poplar::HALF)
    taken = value == 0 || poputil::checkAccuracyWhenCast(graph.getTarget(), value, poplar::FLOAT, type, tolerance);
  else if (!is_float(type))
    taken = value == std::trunc(value);  // integers are scaled by integers
  return taken ? std::optional<Input>(Input(value, type)) : std::nullopt;
}

// A, B, their scales (1 for A where there is none) to the sum.
struct Sum {
  bool subtract;
  ScaledAddSpecialisation form = ScaledAddSpecialisation::DEFAULT;

  expr::Any operator()(const expr::Expr& a, const expr::Expr& b, const expr::Expr* scale_a,
                       const expr::Expr& scale_b) const {
    const expr::Mul right(b, scale_b);
    const expr::Any left = scale_a == nullptr ? expr::Any(a) : expr::Any(expr::Mul(a, *scale_a));
    if (form == ScaledAddSpecialisation::X_MINUS_AX_PLUS_BY) return expr::Add(expr::Sub(a, left), right);
    if (subtract) return expr::Sub(left, right);
    return expr::Add(left, right);
  }
};

void scaled(Graph& graph, const Tensor& a, const std::optional<Scale>& scale_a, const Tensor& b, const Scale& scale_b,
            const Sum& sum, Sequence& prog, const DebugContext& debugContext, const OptionFlags& options,
            const char* function) {
  const double tolerance = tolerance_of(options);
  const Type type = a.elementType();
  if (a.numElements() != b.numElements())
    throw poputil::poplibs_error(std::string(function) + ": '" + a.getDebugStr() + "' of shape " + a.shapeToString() +
                                 " and '" + b.getDebugStr() + "' of shape " + b.shapeToString());
  for (const Scale* scale : {scale_a ? &*scale_a : nullptr, &scale_b}) {
    if (scale != nullptr && !scale->number && scale->tensor.numElements() != 1)
      throw poputil::poplibs_error(std::string(function) + ": the scale '" + scale->tensor.getDebugStr() + "' has " +
                                   std::to_string(scale->tensor.numElements()) + " elements");
  }
  const bool fits = b.elementType() == type;
  if (!fits && !(is_float(type) && is_float(b.elementType())))
    throw poputil::poplibs_error(std::string(function) + ": '" + a.getDebugStr() + "' of type " + text_of(type) +
                                 " and '" + b.getDebugStr() + "' of type " + text_of(b.elementType()));
  const std::optional<Input> right = fits ? in_type(graph, scale_b, type, tolerance) : std::nullopt;
  const std::optional<Input> left = fits && scale_a ? in_type(graph, *scale_a, type, tolerance) : std::nullopt;
  const Tensor flat_a = a.flatten(), flat_b = b.flatten();
  if (right && (left || !scale_a)) {
    std::vector<Input> inputs = {flat_a, flat_b, *right};
    if (left) inputs.push_back(*left);
    map_to_output(graph, sum(expr::_1, expr::_2, scale_a ? &expr::_4 : nullptr, expr::_3), inputs, flat_a, prog,
                  debugContext);
    return;
  }
  if (!is_float(type))
    throw poputil::poplibs_error(std::string(function) + ": '" + a.getDebugStr() + "' of type " + text_of(type) +
                                 " with a scale of type " + text_of(scale_b.type()));
  const auto as_float = [](const expr::Expr& e) { return expr::Any(expr::Cast(e, poplar::FLOAT)); };
  const auto input = [&](const Scale& s) { return s.number ? Input(*s.number, poplar::FLOAT) : Input(s.tensor); };
  std::vector<Input> inputs = {flat_a, flat_b, input(scale_b)};
  if (scale_a) inputs.push_back(input(*scale_a));
  const expr::Any four = as_float(expr::_4);
  const expr::Expr* scale = scale_a ? &static_cast<const expr::Expr&>(four) : nullptr;
  const expr::Any all = sum(as_float(expr::_1), as_float(expr::_2), scale, as_float(expr::_3));
  map_to_output(graph, expr::Cast(all, type), inputs, flat_a, prog, debugContext);
}

}  // namespace

void scaledAddTo(Graph& graph, Tensor A, Tensor B, float scaleB, Sequence& prog, const DebugContext& debugContext,
                 const OptionFlags& options) {
  scaled(graph, A, {}, B, scaleB, {false}, prog, debugContext, options, "scaledAddTo");
}
void scaledAddTo(Graph& graph, Tensor A, Tensor B, Tensor scaleB, Sequence& prog, const DebugContext& debugContext,
                 const OptionFlags& options) {
  scaled(graph, A, {}, B, scaleB, {false}, prog, debugContext, options, "scaledAddTo");
}
void scaledSubtractFrom(Graph& graph, Tensor A, Tensor B, float scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags& options) {
  scaled(graph, A, {}, B, scaleB, {true}, prog, debugContext, options, "scaledSubtractFrom");
}
void scaledSubtractFrom(Graph& graph, Tensor A, Tensor B, Tensor scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags& options) {
  scaled(graph, A, {}, B, scaleB, {true}, prog, debugContext, options, "scaledSubtractFrom");
}
void scaledAddTo(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  scaledAddTo(graph, A, scaleA, B, scaleB, prog, ScaledAddSpecialisation::DEFAULT, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                 const ScaledAddSpecialisation speciality, const DebugContext& debugContext,
                 const OptionFlags& options) {
  scaled(graph, A, Scale(scaleA), B, scaleB, {false, speciality}, prog, debugContext, options, "scaledAddTo");
}
void scaledAddTo(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  scaledAddTo(graph, A, scaleA, B, scaleB, prog, ScaledAddSpecialisation::DEFAULT, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                 const ScaledAddSpecialisation speciality, const DebugContext& debugContext,
                 const OptionFlags& options) {
  scaled(graph, A, Scale(scaleA), B, scaleB, {false, speciality}, prog, debugContext, options, "scaledAddTo");
}
void scaledSubtractFrom(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags& options) {
  scaled(graph, A, Scale(scaleA), B, scaleB, {true}, prog, debugContext, options, "scaledSubtractFrom");
}
void scaledSubtractFrom(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags& options) {
  scaled(graph, A, Scale(scaleA), B, scaleB, {true}, prog, debugContext, options, "scaledSubtractFrom");
}

}  // namespace popops
