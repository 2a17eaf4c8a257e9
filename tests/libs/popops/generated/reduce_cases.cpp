// Reductions with every operation, and questions about all elements.
#include <algorithm>
#include <cmath>
#include <popops/AllTrue.hpp>
#include <popops/NaN.hpp>
#include <popops/Operation.hpp>
#include <popops/Reduce.hpp>

#include "tests/libs/popops/generated/groups.h"
#include "tests/libs/popops/generated/reduce_reference.h"

namespace popops_test {
namespace {

using popops::Operation;

enum Way : std::size_t { kNew, kTyped, kWithOutput, kSets, kSetsWithOutput, kMany, kManyWithOutputs, kWays };

bool is_sum(Operation op) { return op == Operation::ADD || op == Operation::SQUARE_ADD; }

// Whole numbers whose results are exact; of sums of floats also any of some magnitudes.
Data operands(Draft& draft, Operation op, Type type) {
  switch (op) {
    case Operation::LOGICAL_AND:
    case Operation::LOGICAL_OR:
      return any_values(BOOL);
    case Operation::MIN:
    case Operation::MAX:
      return any_values(type);
    case Operation::MUL:
      return is_float(type) ? whole(-1, 1) : any_values(type);
    case Operation::LOG_ADD:
      return between(type, -4, 4);
    default:
      if (!is_float(type)) return any_values(type);
      return draft.choices.below(2) == 0 ? whole(-4, 4) : between(type, -8, 8);
  }
}

void draw_reduction(Draft& draft, Operation op) {
  const bool logical = op == Operation::LOGICAL_AND || op == Operation::LOGICAL_OR;
  std::vector<Type> types = {FLOAT, HALF};
  if (op != Operation::LOG_ADD) types.insert(types.end(), {INT, UNSIGNED_INT});
  if (op != Operation::LOG_ADD && draft.full())
    types.insert(types.end(), {SHORT, UNSIGNED_SHORT, SIGNED_CHAR, UNSIGNED_CHAR});
  const Type type = logical ? BOOL : draft.choices.pick(types);
  const std::size_t way = draft.way(kWays);
  Type result = type;
  if (is_float(type) && draft.choices.one_in(3)) result = type == HALF ? FLOAT : HALF;
  if (way == kNew || way == kSets) result = type;
  draft.set("op", "popops::Operation::" + name_of(op), static_cast<int>(op));
  draft.set("type", result);
  const Shape shape = draft.shape(), dims = draft.some_of(shape.size());
  draft.set("dims", dims);
  Shape left;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) left.push_back(shape[d]);
  draft.tensor(type, shape, operands(draft, op, type));
  const bool output = way == kWithOutput || way == kSetsWithOutput || way == kManyWithOutputs;
  const bool more = is_sum(op) && (draft.full() || type == (op == Operation::ADD ? HALF : FLOAT));
  const bool update = more && output && draft.choices.one_in(3);
  const bool scale = more && is_float(type) && draft.choices.one_in(3);
  draft.set("update", update);
  draft.set("scaled", scale);
  draft.tensor(FLOAT, {}, [](std::mt19937_64& random, std::uint32_t, std::size_t n) {
    return Values(n, static_cast<double>(1 + random() % 3) / 2);
  });
  if (output) draft.tensor(result, left, is_float(result) ? whole(-9, 9) : any_values(result), Use::kWritten);
}

void call_reduction(Call& call) {
  POPOPS_NAMES;
  const auto op = static_cast<Operation>(static_cast<int>(c_.number("op")));
  const Type type = c_.type("type");
  const Shape dims = c_.list("dims");
  const bool update = c_.number("update") != 0;
  popops::ReduceParams params(op, update);
  call.text += "popops::ReduceParams params(op, update);\n";
  if (c_.number("scaled") != 0) POPOPS_CALL(params = popops::ReduceParams(op, update, b));
  if (way == kNew) POPOPS_CALL(out = popops::reduce(graph, a, dims, params, prog));
  if (way == kTyped) POPOPS_CALL(out = popops::reduce(graph, a, type, dims, params, prog));
  if (way == kWithOutput) POPOPS_CALL(popops::reduceWithOutput(graph, a, c, dims, params, prog));
  if (way == kSets)
    POPOPS_CALL(std::vector<ComputeSet> sets; out = popops::reduce(graph, a, dims, params, sets);
                for (ComputeSet set : sets) prog.add(Execute(set)));
  if (way == kSetsWithOutput)
    POPOPS_CALL(std::vector<ComputeSet> sets; popops::reduceWithOutput(graph, a, c, dims, params, sets);
                for (ComputeSet set : sets) prog.add(Execute(set)));
  if (way == kMany)
    POPOPS_CALL(std::vector<Tensor> outputs;
                popops::reduceMany(graph, {{a, dims, params, type}, {a, {}, op}}, outputs, prog); out = outputs[0]);
  if (way == kManyWithOutputs)
    POPOPS_CALL(std::vector<Tensor> outputs = {c}; popops::reduceMany(graph, {{a, dims, params}}, outputs, prog));
}

Expectation reduction_reference(const Case& c) {
  const auto op = static_cast<Operation>(static_cast<int>(c.number("op")));
  const auto way = static_cast<std::size_t>(c.number("way"));
  Reduced reduction{op, c.type("type"), c.list("dims"), 1, {}};
  if (c.number("scaled") != 0) reduction.scale = elements(c, 1).values[0];
  const bool output = way == kWithOutput || way == kSetsWithOutput || way == kManyWithOutputs;
  if (c.number("update") != 0) reduction.before = elements(c, 2).values;
  const Expected result = reduced(elements(c, 0), reduction);
  if (output) return {{}, {{2, result}}};
  return {{result}, {}};
}

// One BOOL of shape {}.
Operator question(const std::string& name, bool of_floats, std::function<void(Call&)> call,
                  std::function<bool(const Values&)> answer) {
  const auto draw = [=](Draft& draft) {
    draft.way(1);
    const Type type = of_floats ? draft.choices.pick({FLOAT, HALF}) : BOOL;
    const Data data = draft.choices.below(2) == 0 ? any_values(type) : of_floats ? finite_values(type) : whole(1, 1);
    draft.tensor(type, draft.shape(), data);
  };
  const auto reference = [=](const Case& c) -> Expectation {
    return {{{BOOL, {}, {answer(elements(c, 0).values) ? 1.0 : 0.0}, {}}}, {}};
  };
  return {name, draw, std::move(call), reference};
}

}  // namespace

std::vector<Operator> reduce_operators() {
  std::vector<Operator> out;
  for (int i = 0; i <= static_cast<int>(Operation::LOG_ADD); ++i) {
    const auto op = static_cast<Operation>(i);
    out.push_back({"reduce " + name_of(op), [=](Draft& draft) { draw_reduction(draft, op); }, call_reduction,
                   reduction_reference});
  }
  const auto any = [](auto what) { return [=](const Values& v) { return std::any_of(v.begin(), v.end(), what); }; };
  out.push_back(question(
      "allTrue", false,
      [](Call& call) {
        POPOPS_NAMES;
        POPOPS_CALL(out = popops::allTrue(graph, a, prog));
      },
      [](const Values& v) { return std::all_of(v.begin(), v.end(), [](double x) { return x != 0; }); }));
  out.push_back(question(
      "hasNaN", true,
      [](Call& call) {
        POPOPS_NAMES;
        POPOPS_CALL(out = popops::hasNaN(graph, a, prog));
      },
      any([](double x) { return std::isnan(x); })));
  out.push_back(question(
      "hasNaNOrInf", true,
      [](Call& call) {
        POPOPS_NAMES;
        POPOPS_CALL(out = popops::hasNaNOrInf(graph, a, prog));
      },
      any([](double x) { return !std::isfinite(x); })));
  return out;
}

}  // namespace popops_test
