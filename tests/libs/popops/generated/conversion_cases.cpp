// Casts, constants, scaled sums.
#include <cmath>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Fill.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Zero.hpp>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

Type some_type(Draft& draft) { return draft.type(5); }

// Values that both types hold but for what is rounded.
Data to_convert(Type from, Type to) {
  if (to == BOOL) return any_values(from);
  if (is_float(to) && (is_float(from) || from == BOOL)) return any_values(from);
  if (is_float(to))
    return to == FLOAT ? any_values(from)
                       : between(from, std::max(lowest(from), -60000.0), std::min(highest(from), 60000.0));
  if (is_float(from)) {
    const double most = from == HALF ? 65000 : 1e9;
    return between(from, std::max(lowest(to), -most), std::min(highest(to), most));
  }
  return any_values(from);
}

Expected converted(const Elements& from, Type to) {
  return map_elements(to, from.shape, {from}, [&](const Values& x) {
    if (to == BOOL) return Exact{x[0] != 0 ? 1.0 : 0.0, 0};
    if (is_float(to)) return Exact{nearest(to, x[0]), 0};
    return Exact{wrapped(to, static_cast<__int128>(std::trunc(x[0]))), 0};
  });
}

Operator cast() {
  const auto draw = [](Draft& draft) {
    const Type from = some_type(draft), to = some_type(draft);
    const std::size_t way = draft.way(5);
    const Shape shape = draft.shape();
    draft.set("type", to);
    draft.tensor(from, shape, to_convert(from, to));
    if (way == 1 || way == 2 || way == 3) draft.tensor(to, shape, whole(0, 1), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const Type type = c_.type("type");
    if (way == 0) POPOPS_CALL(out = popops::cast(graph, a, type, prog));
    if (way == 1) POPOPS_CALL(popops::castWithOutput(graph, a, b, prog));
    if (way == 2) POPOPS_CALL(prog.add(popops::cast(graph, a, b)));
    if (way == 3)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("cast"); popops::cast(graph, a, b, cs); prog.add(Execute(cs)));
    if (way == 4)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("cast"); out = popops::cast(graph, a, type, cs);
                  prog.add(Execute(cs)));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Expected result = converted(elements(c, 0), c.type("type"));
    const auto way = static_cast<unsigned>(c.number("way"));
    if (way == 0 || way == 4) return {{result}, {}};
    return {{}, {{1, result}}};
  };
  return {"cast", draw, call, reference};
}

Operator check_accuracy() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    draft.set("tolerance", draft.choices.pick({0.25f, 0.0009765625f, 1e-6f}));
    draft.tensor(FLOAT, draft.choices.below(2) == 0 ? Shape{} : Shape{1}, any_values(FLOAT));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto tolerance = static_cast<float>(c_.number("tolerance"));
    POPOPS_CALL(out = popops::checkAccuracyWhenCast(graph, a, HALF, tolerance, prog));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const double x = elements(c, 0).values[0], kept = nearest(HALF, x);
    const bool accurate = std::fabs(x) <= 65504 && std::fabs(kept - x) < c.number("tolerance") * std::fabs(x);
    return {{{BOOL, {}, {accurate ? 1.0 : 0.0}, {}}}, {}};
  };
  return {"checkAccuracyWhenCast", draw, call, reference};
}

// Every element the same.
Expected same(const Elements& e, double value) { return {e.type, e.shape, Values(e.values.size(), value), {}}; }

Operator fill() {
  const auto draw = [](Draft& draft) {
    const Type type = some_type(draft);
    draft.way(4);
    const Shape shape = draft.shape();
    draft.tensor(type, shape, any_values(type), Use::kWritten);
    draft.set("value", draft.choices.pick({1.0f, 0.0f, 100.0f}));
    draft.set("tile", draft.choices.below(kTilesOfCases));
    draft.set("begin", draft.choices.below(elements_of(shape) + 1));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto value = static_cast<float>(c_.number("value"));
    const auto tile = static_cast<unsigned>(c_.number("tile")), begin = static_cast<unsigned>(c_.number("begin"));
    if (way == 0) POPOPS_CALL(popops::fill(graph, a, prog, value));
    if (way == 1)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("fill"); popops::fill(graph, a, tile, cs, value);
                  prog.add(Execute(cs)));
    if (way == 2)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("fill");
                  popops::fill(graph, a, {{begin, a.numElements()}}, tile, cs, value); prog.add(Execute(cs)));
    if (way == 3)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("fill");
                  popops::fill(graph, a, graph.getTileMapping(a), cs, value); prog.add(Execute(cs)));
  };
  const auto reference = [](const Case& c) -> Expectation {
    Elements a = elements(c, 0);
    const bool part = c.number("way") == 2;
    for (std::size_t i = part ? static_cast<std::size_t>(c.number("begin")) : 0; i < a.values.size(); ++i)
      a.values[i] = a.type == BOOL ? c.number("value") != 0 : c.number("value");
    return {{}, {{0, exactly(a)}}};
  };
  return {"fill", draw, call, reference};
}

Operator zero() {
  const auto draw = [](Draft& draft) {
    const Type type = some_type(draft);
    draft.way(3);
    draft.tensor(type, draft.shape(), any_values(type), Use::kWritten);
    draft.set("tile", draft.choices.below(kTilesOfCases));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto tile = static_cast<unsigned>(c_.number("tile"));
    if (way == 0) POPOPS_CALL(popops::zero(graph, a, prog));
    if (way == 1)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("zero"); popops::zero(graph, a, tile, cs); prog.add(Execute(cs)));
    if (way == 2)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("zero"); popops::zero(graph, a, graph.getTileMapping(a), cs);
                  prog.add(Execute(cs)));
  };
  const auto reference = [](const Case& c) -> Expectation { return {{}, {{0, same(elements(c, 0), 0)}}}; };
  return {"zero", draw, call, reference};
}

enum ScaledWay : std::size_t { kNumber, kTensor, kBothNumbers, kBothTensors, kSpecial, kSpecialNumbers, kScaledWays };

// Small whole numbers: a sum is exact in every type.
Operator scaled(bool subtract) {
  const auto draw = [=](Draft& draft) {
    const std::size_t way = draft.way(subtract ? kSpecial : kScaledWays);
    const std::vector<Type> types = {HALF, INT, FLOAT, UNSIGNED_INT};
    const Type first = draft.full() ? draft.choices.pick(types) : types[way % types.size()];
    Type second = first;
    if (is_float(first) && draft.choices.one_in(3)) second = first == FLOAT ? HALF : FLOAT;
    const Shape shape = draft.shape();
    const bool tensors = way == kTensor || way == kBothTensors || way == kSpecial;
    const Type scale = is_float(first) && draft.choices.below(2) == 1 ? FLOAT : first;
    const bool onto_itself = first == second && draft.choices.one_in(4);
    const std::size_t a = draft.tensor(
        first, shape, onto_itself ? whole(0, 20) : whole(first == UNSIGNED_INT ? 100 : -20, 120), Use::kWritten);
    if (onto_itself)
      draft.alias(a);
    else
      draft.tensor(second, shape, whole(0, 20));
    const Data scales = is_float(first) ? between(scale, 0.5, 4) : whole(1, 4);
    const Data halves = [=](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
      Values out = scales(random, kind, n);
      for (double& v : out) v = std::floor(v * 2) / 2;
      return out;
    };
    if (tensors) draft.tensor(scale, draft.choices.below(2) == 0 ? Shape{} : Shape{1}, halves);
    if (way == kBothTensors || way == kSpecial) draft.tensor(scale, {1}, halves);
    const auto number = [&](const char* name) {
      const float value = static_cast<float>(1 + draft.choices.below(8));
      draft.set(name, is_float(first) ? value / 2 : value);
    };
    if (way == kBothNumbers || way == kSpecialNumbers) number("scale_a");
    if (!tensors) number("scale_b");
  };
  const auto call = [=](Call& call) {
    POPOPS_NAMES;
    const auto of = [&](const char* name, ScaledWay one, ScaledWay other) {
      return way == one || way == other ? static_cast<float>(c_.number(name)) : 0.0f;
    };
    const float scale_a = of("scale_a", kBothNumbers, kSpecialNumbers);
    const float scale_b =
        way == kNumber ? static_cast<float>(c_.number("scale_b")) : of("scale_b", kBothNumbers, kSpecialNumbers);
    if (subtract) {
      if (way == kNumber) POPOPS_CALL(popops::scaledSubtractFrom(graph, a, b, scale_b, prog));
      if (way == kTensor) POPOPS_CALL(popops::scaledSubtractFrom(graph, a, b, c, prog));
      if (way == kBothNumbers) POPOPS_CALL(popops::scaledSubtractFrom(graph, a, scale_a, b, scale_b, prog));
      if (way == kBothTensors) POPOPS_CALL(popops::scaledSubtractFrom(graph, a, c, b, d, prog));
      return;
    }
    if (way == kNumber) POPOPS_CALL(popops::scaledAddTo(graph, a, b, scale_b, prog));
    if (way == kTensor) POPOPS_CALL(popops::scaledAddTo(graph, a, b, c, prog));
    if (way == kBothNumbers) POPOPS_CALL(popops::scaledAddTo(graph, a, scale_a, b, scale_b, prog));
    if (way == kBothTensors) POPOPS_CALL(popops::scaledAddTo(graph, a, c, b, d, prog));
    if (way == kSpecial)
      POPOPS_CALL(popops::scaledAddTo(graph, a, c, b, d, prog, popops::ScaledAddSpecialisation::X_MINUS_AX_PLUS_BY));
    if (way == kSpecialNumbers)
      POPOPS_CALL(popops::scaledAddTo(graph, a, scale_a, b, scale_b, prog,
                                      popops::ScaledAddSpecialisation::X_MINUS_AX_PLUS_BY));
  };
  const auto reference = [=](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), b = elements(c, 1);
    const auto way = static_cast<std::size_t>(c.number("way"));
    double left = 1, right = 1;
    if (way == kBothNumbers || way == kSpecialNumbers) left = c.number("scale_a");
    if (way == kBothTensors || way == kSpecial) left = elements(c, 2).values[0];
    if (way == kTensor) right = elements(c, 2).values[0];
    if (way == kBothTensors || way == kSpecial) right = elements(c, 3).values[0];
    if (way == kNumber || way == kBothNumbers || way == kSpecialNumbers) right = c.number("scale_b");
    const bool special = way == kSpecial || way == kSpecialNumbers;
    const Expected result = map_elements(a.type, a.shape, {a, b}, [&](const Values& x) {
      const double value =
          special ? x[0] - left * x[0] + right * x[1] : left * x[0] + (subtract ? -right : right) * x[1];
      return Exact{is_float(a.type) ? value : wrapped(a.type, static_cast<__int128>(value)), 0};
    });
    return {{}, {{0, result}}};
  };
  return {subtract ? "scaledSubtractFrom" : "scaledAddTo", draw, call, reference};
}

}  // namespace

std::vector<Operator> conversion_operators() {
  return {cast(), check_accuracy(), fill(), zero(), scaled(false), scaled(true)};
}

}  // namespace popops_test
