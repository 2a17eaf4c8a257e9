// Operators of one operand, by the functions named after them or by map.
#include <popops/ElementWise.hpp>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/generated/element_wise_types.h"
#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

enum Way : std::size_t { kNew, kInPlace, kWithOutput, kMap, kMapWithOutput, kMapInPlace, kWays };

bool is_bool(UnaryOpType op) {
  return op == UnaryOpType::IS_FINITE || op == UnaryOpType::IS_INF || op == UnaryOpType::IS_NAN ||
         op == UnaryOpType::LOGICAL_NOT;
}

void draw_unary(Draft& draft, UnaryOpType op, Takes takes) {
  const Type type = type_for(draft, takes, static_cast<std::size_t>(op));
  const Type result = is_bool(op) ? BOOL : type;
  // Elements of another type cannot stand in their place.
  const bool fits = result == type;
  const std::size_t way = fits ? draft.way(kWays) : draft.way({kNew, kWithOutput, kMap, kMapWithOutput});
  const bool in_place = way == kInPlace || way == kMapInPlace;
  const Shape shape = draft.shape();
  draft.set("op", std::string("popops::expr::UnaryOpType::") + name_of(op), static_cast<int>(op));
  const bool with_output = way == kWithOutput || way == kMapWithOutput;
  const bool onto_itself = with_output && fits && draft.choices.one_in(4);
  const std::size_t first =
      draft.tensor(type, shape, any_values(type), in_place || onto_itself ? Use::kWritten : Use::kRead);
  if (onto_itself)
    draft.alias(first);
  else if (with_output)
    draft.tensor(result, shape, finite_values(result), Use::kWritten);
}

void call_unary(Call& call) {
  POPOPS_NAMES;
  const auto op = static_cast<UnaryOpType>(static_cast<int>(c_.number("op")));
  // A function that has that form is taken instead of map.
  switch (op) {
#define UNARY_NAME(name, OP)                                                          \
  case UnaryOpType::OP:                                                               \
    if (way == kNew) POPOPS_CALL(out = popops::name(graph, a, prog));                 \
    if (way == kInPlace) POPOPS_CALL(popops::name##InPlace(graph, a, prog));          \
    if (way == kWithOutput) POPOPS_CALL(popops::name##WithOutput(graph, a, b, prog)); \
    if (way < kMap) return;                                                           \
    break;
#include "tests/libs/popops/generated/named_operators.def"
    case UnaryOpType::IS_FINITE:
      if (way == kNew) POPOPS_CALL(out = popops::isFinite(graph, a, prog));
      if (way == kWithOutput) POPOPS_CALL(popops::isFiniteWithOutput(graph, a, b, prog));
      if (way == kNew || way == kWithOutput) return;
      break;
    default:
      break;
  }
  if (way == kInPlace || way == kMapInPlace)
    POPOPS_CALL(popops::mapInPlace(graph, op, a, prog));
  else if (way == kWithOutput || way == kMapWithOutput)
    POPOPS_CALL(popops::mapWithOutput(graph, op, a, b, prog));
  else
    POPOPS_CALL(out = popops::map(graph, op, a, prog));
}

Expectation unary_reference(const Case& c) {
  const auto op = static_cast<UnaryOpType>(static_cast<int>(c.number("op")));
  const Elements a = elements(c, 0);
  const Expected result =
      map_elements(is_bool(op) ? BOOL : a.type, a.shape, {a}, [&](const Values& x) { return unary(op, a.type, x[0]); });
  const auto way = static_cast<std::size_t>(c.number("way"));
  if (way == kInPlace || way == kMapInPlace) return {{}, {{0, result}}};
  if (way == kWithOutput || way == kMapWithOutput) return {{}, {{1, result}}};
  return {{result}, {}};
}

}  // namespace

std::vector<Operator> unary_operators() {
  std::vector<Operator> out;
  const auto add = [&](UnaryOpType op, Takes takes) {
    out.push_back({std::string("unary ") + name_of(op), [=](Draft& draft) { draw_unary(draft, op, takes); }, call_unary,
                   unary_reference});
  };
#define UNARY_OPERATOR(op, name, function, operands, result, packed) add(UnaryOpType::op, Takes::operands);
#include "sw/libs/popops/operators.def"
  return out;
}

}  // namespace popops_test
