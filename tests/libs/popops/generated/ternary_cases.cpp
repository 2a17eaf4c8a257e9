// Operators of three operands, and expressions of several operators, one or more at once.
#include <popops/ElementWise.hpp>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/generated/element_wise_types.h"
#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

enum Way : std::size_t { kNew, kInPlace, kWithOutput, kMap, kWays };

// Types of whose vertices some are compiled in every run.
Type some_type(Draft& draft) {
  return draft.full()
             ? draft.choices.pick({FLOAT, HALF, INT, UNSIGNED_INT, SHORT, UNSIGNED_SHORT, SIGNED_CHAR, UNSIGNED_CHAR})
             : draft.choices.pick({FLOAT, HALF, INT});
}

Shape other_shape(Draft& draft, const Shape& shape) { return draft.full() ? operand_shape(draft, shape, 1) : shape; }

Expectation placed(const Case& c, const Expected& result, std::size_t output) {
  const auto way = static_cast<std::size_t>(c.number("way"));
  if (way == kInPlace) return {{}, {{0, result}}};
  if (way == kWithOutput) return {{}, {{output, result}}};
  return {{result}, {}};
}

Operator clamp() {
  const auto draw = [](Draft& draft) {
    const Type type = some_type(draft);
    const std::size_t way = draft.way(kWays);
    const Shape shape = draft.shape();
    draft.tensor(type, shape, any_values(type), way == kInPlace ? Use::kWritten : Use::kRead);
    draft.tensor(type, other_shape(draft, shape), any_values(type));
    draft.tensor(type, other_shape(draft, shape), any_values(type));
    if (way == kWithOutput) draft.tensor(type, shape, any_values(type), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    if (way == kNew) POPOPS_CALL(out = popops::clamp(graph, a, b, c, prog));
    if (way == kInPlace) POPOPS_CALL(popops::clampInPlace(graph, a, b, c, prog));
    if (way == kWithOutput) POPOPS_CALL(popops::clampWithOutput(graph, a, b, c, d, prog));
    if (way == kMap) POPOPS_CALL(out = popops::map(graph, popops::expr::TernaryOpType::CLAMP, a, b, c, prog));
  };
  const auto reference = [](const Case& c) {
    const Elements a = elements(c, 0), low = elements(c, 1), high = elements(c, 2);
    const Expected result = map_elements(a.type, a.shape, {a, low, high},
                                         [](const Values& x) { return Exact{smaller(larger(x[0], x[1]), x[2]), 0}; });
    return placed(c, result, 3);
  };
  return {"ternary CLAMP", draw, call, reference};
}

Operator select() {
  const auto draw = [](Draft& draft) {
    const Type type = draft.choices.one_in(4) ? BOOL : some_type(draft);
    const std::size_t way = draft.way(kWays);
    const Shape shape = draft.shape();
    draft.tensor(type, shape, any_values(type), way == kInPlace ? Use::kWritten : Use::kRead);
    draft.tensor(type, other_shape(draft, shape), any_values(type));
    draft.tensor(BOOL, other_shape(draft, shape), any_values(BOOL));
    if (way == kWithOutput) draft.tensor(type, shape, any_values(type), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    if (way == kNew) POPOPS_CALL(out = popops::select(graph, a, b, c, prog));
    if (way == kInPlace) POPOPS_CALL(popops::selectInPlace(graph, a, b, c, prog));
    if (way == kWithOutput) POPOPS_CALL(popops::selectWithOutput(graph, a, b, c, d, prog));
    if (way == kMap) POPOPS_CALL(out = popops::map(graph, popops::expr::TernaryOpType::SELECT, a, b, c, prog));
  };
  const auto reference = [](const Case& c) {
    const Elements a = elements(c, 0), other = elements(c, 1), condition = elements(c, 2);
    const Expected result = map_elements(a.type, a.shape, {a, other, condition},
                                         [](const Values& x) { return Exact{x[2] != 0 ? x[0] : x[1], 0}; });
    return placed(c, result, 3);
  };
  return {"ternary SELECT", draw, call, reference};
}

// Whole numbers: no result is rounded.
Operator expressions() {
  const auto draw = [](Draft& draft) {
    const std::size_t way = draft.way(6);
    const std::vector<Type> types = {FLOAT, HALF, INT};
    const Type type = draft.full() ? draft.choices.pick(types) : types[way % types.size()];
    const Shape shape = draft.shape();
    const bool in_place = draft.choices.below(2) == 1;
    draft.set("in_place", in_place);
    const std::size_t first = draft.tensor(type, shape, whole(-20, 20), Use::kWritten);
    if (!in_place && draft.choices.one_in(3))
      draft.alias(first);
    else
      draft.tensor(type, shape, whole(-20, 20), Use::kWritten);
  };
  const auto call = [](Call& call) {
    using popops::expr::_1;
    using popops::expr::_2;
    POPOPS_NAMES;
    call.text += "using namespace popops::expr;\n";
    using namespace popops::expr;
    if (c_.number("in_place") == 0) {
      if (way == 0) POPOPS_CALL(out = popops::map(graph, _1 * 2 + _2, {a, b}, prog));
      if (way == 1) POPOPS_CALL(out = popops::map(graph, Select(_1 - _2, Const(7), _1 > _2), {a, b}, prog));
      if (way == 2) POPOPS_CALL(out = popops::map(graph, Cast(Abs(_1), FLOAT) * 0.5f, {a, b}, prog));
      if (way == 3) POPOPS_CALL(out = popops::map(graph, Max(-_1, Square(_2)) - 1, {a, b}, prog));
      if (way == 4) POPOPS_CALL(out = popops::map(graph, _2, {a, b}, prog));
      if (way == 5)
        POPOPS_CALL(const auto both = popops::map(graph, std::vector<Any>({_1 + _2, _1 - _2}), {a, b}, prog);
                    out = both[0]; out2 = both[1]);
    } else {
      if (way == 0) POPOPS_CALL(popops::mapInPlace(graph, _1 * 2 + _2, {a, b}, prog));
      if (way == 1) POPOPS_CALL(popops::mapInPlace(graph, Select(_1 - _2, Const(7), _1 > _2), {a, b}, prog));
      if (way == 2) POPOPS_CALL(popops::mapInPlace(graph, Clamp(_1, Const(-3), _2), {a, b}, prog));
      if (way == 3) POPOPS_CALL(popops::mapInPlace(graph, Max(-_1, Square(_2)) - 1, {a, b}, prog));
      if (way == 4) POPOPS_CALL(popops::mapInPlace(graph, _2, {a, b}, prog));
      if (way == 5) POPOPS_CALL(popops::mapInPlace(graph, std::vector<Any>({_1 + _2, _1 - _2}), {a, b}, prog));
    }
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), b = elements(c, 1);
    const auto way = static_cast<unsigned>(c.number("way"));
    const bool in_place = c.number("in_place") != 0;
    const Type type = way == 2 && !in_place ? FLOAT : a.type;
    const auto result = [&](unsigned of) {
      return map_elements(type, a.shape, {a, b}, [&](const Values& v) {
        const double x = v[0], y = v[1];
        const double values[] = {x * 2 + y,
                                 x > y ? x - y : 7,
                                 in_place ? smaller(larger(x, -3), y) : larger(x, -x) * 0.5,
                                 larger(-x, y * y) - 1,
                                 y,
                                 x + y,
                                 x - y};
        return Exact{values[of], 0};
      });
    };
    if (!in_place) return way == 5 ? Expectation{{result(5), result(6)}, {}} : Expectation{{result(way)}, {}};
    if (way == 5) return {{}, {{0, result(5)}, {1, result(6)}}};
    return {{}, {{0, result(way)}}};
  };
  return {"map", draw, call, reference};
}

}  // namespace

std::vector<Operator> ternary_operators() { return {clamp(), select(), expressions()}; }

}  // namespace popops_test
