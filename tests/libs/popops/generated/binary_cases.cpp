// Operators of two operands, by the functions named after them or by map: tensors broadcast to each other, views of one
// variable, numbers of C++ on either side.
#include <algorithm>
#include <cmath>
#include <popops/ElementWise.hpp>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/generated/element_wise_types.h"
#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

enum Way : std::size_t {
  kNew,
  kInPlace,
  kWithOutput,
  kMap,
  kMapInPlace,
  kMapWithOutput,
  kNumber,
  kNumberInPlace,
  kNumberWithOutput,
  kNumberFirst,
  kNumberFirstWithOutput,
  kWays
};

bool compares(BinaryOpType op) {
  switch (op) {
    case BinaryOpType::EQUAL:
    case BinaryOpType::GREATER_THAN:
    case BinaryOpType::GREATER_THAN_EQUAL:
    case BinaryOpType::LESS_THAN:
    case BinaryOpType::LESS_THAN_EQUAL:
    case BinaryOpType::NOT_EQUAL:
      return true;
    default:
      return false;
  }
}

// Neither 0 nor -1, the divisors of which C++ does not say everything.
Data divisors(Type type) {
  const Data any = any_values(type);
  return [=](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
    Values out = any(random, kind, n);
    for (double& v : out) v = v == 0 ? 1 : v == -1 ? 2 : v;
    return out;
  };
}

struct Operands {
  Data first, second;
};
Operands operands(BinaryOpType op, Type type) {
  const bool of_integers = type != FLOAT && type != HALF;
  switch (op) {
    case BinaryOpType::SHIFT_LEFT:
    case BinaryOpType::SHIFT_RIGHT:
    case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
      return {any_values(type), whole(0, 8.0 * static_cast<double>(size_of(type)) - 1)};
    case BinaryOpType::POWER:
      return of_integers ? Operands{any_values(type), whole(0, 9)} : Operands{any_values(type), any_values(type)};
    case BinaryOpType::DIVIDE:
    case BinaryOpType::REMAINDER:
      return {any_values(type), of_integers ? divisors(type) : any_values(type)};
    case BinaryOpType::INV_STD_DEV_TO_VARIANCE:
      return {between(type, 0.0625, 8), between(type, 0, 16)};
    case BinaryOpType::VARIANCE_TO_INV_STD_DEV:
      return {between(type, 0, 100), between(type, 0.0009765625, 1)};
    default:
      return {any_values(type), any_values(type)};
  }
}

bool has_name(BinaryOpType op) {
  switch (op) {
#define BINARY_NAME(name, OP) case BinaryOpType::OP:
#include "tests/libs/popops/generated/named_operators.def"
    return true;
    default:
      return false;
  }
}

// A number that may stand beside a tensor: of floats one that both types hold.
double number_for(Draft& draft, const Data& data) {
  std::mt19937_64 random(draft.choices.below(1U << 20));
  for (int tries = 0; tries < 20; ++tries) {
    const double value = data(random, 1 + draft.choices.below(2), 1)[0];
    if (std::isfinite(value)) return value;
  }
  return 1;
}

void draw_binary(Draft& draft, BinaryOpType op, Takes takes) {
  const auto number = static_cast<std::size_t>(op);
  const Type type = type_for(draft, takes, number), result = compares(op) ? BOOL : type;
  // Elements of another type cannot stand in their place.
  const bool fits = result == type;
  std::vector<std::size_t> ways = {kMap, kMapWithOutput};
  if (has_name(op)) ways.insert(ways.end(), {kNew, kWithOutput, kNumber, kNumberWithOutput});
  if (has_name(op) && (draft.full() || number % 8 == 6))
    ways.insert(ways.end(), {kNumberFirst, kNumberFirstWithOutput});
  if (fits) ways.push_back(kMapInPlace);
  if (fits && has_name(op)) ways.insert(ways.end(), {kInPlace, kNumberInPlace});
  const std::size_t way = draft.way(ways);
  const Shape shape = draft.shape();
  const Operands data = operands(op, type);
  draft.set("op", std::string("popops::expr::BinaryOpType::") + name_of(op), static_cast<int>(op));
  const bool in_place = way == kInPlace || way == kMapInPlace || way == kNumberInPlace;
  const bool with_output =
      way == kWithOutput || way == kMapWithOutput || way == kNumberWithOutput || way == kNumberFirstWithOutput;
  const bool with_number = way >= kNumber, number_first = way >= kNumberFirst;
  // Operands that share elements, where they may be the same.
  const bool shared = !with_number && draft.choices.one_in(8) && op != BinaryOpType::POWER &&
                      takes != Takes::kInteger && op != BinaryOpType::DIVIDE && op != BinaryOpType::REMAINDER &&
                      op != BinaryOpType::INV_STD_DEV_TO_VARIANCE && op != BinaryOpType::VARIANCE_TO_INV_STD_DEV;
  const bool swapped = !in_place && !with_number && (draft.full() || number % 8 == 1) && draft.choices.one_in(3);
  const Shape other = operand_shape(draft, shape, number);
  // The output may share elements with the first operand.
  const bool onto_first = with_output && fits && !swapped && draft.choices.one_in(4);
  const Use use = in_place || onto_first ? Use::kWritten : Use::kRead;
  const std::size_t first = draft.tensor(type, swapped ? other : shape, number_first ? data.second : data.first, use);
  if (with_number) {
    const double value = number_for(draft, number_first ? data.first : data.second);
    if (type == FLOAT || type == HALF)
      draft.set("number", static_cast<float>(value));
    else if (type == BOOL)
      draft.set("number", value != 0);
    else if (type == UNSIGNED_INT)
      draft.set("number", static_cast<unsigned>(value));
    else
      draft.set("number", static_cast<int>(value));
  } else if (shared) {
    draft.alias(first);
  } else {
    draft.tensor(type, swapped ? shape : other, data.second);
  }
  if (onto_first)
    draft.alias(first);
  else if (with_output)
    draft.tensor(result, swapped && shared ? other : shape, finite_values(result), Use::kWritten);
}

// The functions of one operator; number: of the type that the call has it in.
#define POPOPS_WITH_NUMBER(name)                                                                  \
  if (way == kNumber) POPOPS_CALL(out = popops::name(graph, a, number, prog));                    \
  if (way == kNumberInPlace) POPOPS_CALL(popops::name##InPlace(graph, a, number, prog));          \
  if (way == kNumberWithOutput) POPOPS_CALL(popops::name##WithOutput(graph, a, number, b, prog)); \
  if (way == kNumberFirst) POPOPS_CALL(out = popops::name(graph, number, a, prog));               \
  if (way == kNumberFirstWithOutput) POPOPS_CALL(popops::name##WithOutput(graph, number, a, b, prog));

template <class Number>
void call_with_number(Call& call, BinaryOpType op) {
  POPOPS_NAMES;
  const auto number = static_cast<Number>(c_.number("number"));
  switch (op) {
#define BINARY_NAME(name, OP) \
  case BinaryOpType::OP:      \
    POPOPS_WITH_NUMBER(name)  \
    return;
#include "tests/libs/popops/generated/named_operators.def"
    default:
      return;
  }
}

void call_binary(Call& call) {
  POPOPS_NAMES;
  const auto op = static_cast<BinaryOpType>(static_cast<int>(c_.number("op")));
  if (way >= kNumber) {
    const std::string type = c_.parameter("number").cpp_type;
    if (type == "const float") return call_with_number<float>(call, op);
    if (type == "const bool") return call_with_number<bool>(call, op);
    if (type == "const unsigned") return call_with_number<unsigned>(call, op);
    return call_with_number<int>(call, op);
  }
  switch (op) {
#define BINARY_NAME(name, OP)                                                            \
  case BinaryOpType::OP:                                                                 \
    if (way == kNew) POPOPS_CALL(out = popops::name(graph, a, b, prog));                 \
    if (way == kInPlace) POPOPS_CALL(popops::name##InPlace(graph, a, b, prog));          \
    if (way == kWithOutput) POPOPS_CALL(popops::name##WithOutput(graph, a, b, c, prog)); \
    if (way < kMap) return;                                                              \
    break;
#include "tests/libs/popops/generated/named_operators.def"
    default:
      break;
  }
  if (way == kInPlace || way == kMapInPlace)
    POPOPS_CALL(popops::mapInPlace(graph, op, a, b, prog));
  else if (way == kWithOutput || way == kMapWithOutput)
    POPOPS_CALL(popops::mapWithOutput(graph, op, a, b, c, prog));
  else
    POPOPS_CALL(out = popops::map(graph, op, a, b, prog));
}

Expectation binary_reference(const Case& c) {
  const auto op = static_cast<BinaryOpType>(static_cast<int>(c.number("op")));
  const auto way = static_cast<std::size_t>(c.number("way"));
  std::vector<Elements> in = {elements(c, 0)};
  const Type type = in[0].type;
  if (way >= kNumber)
    in.insert(way >= kNumberFirst ? in.begin() : in.end(), {type, {}, {rounded(type, c.number("number"))}});
  else
    in.push_back(elements(c, 1));
  const Expected result = map_elements(compares(op) ? BOOL : type, broadcast_shape(in[0].shape, in[1].shape), in,
                                       [&](const Values& x) { return binary(op, type, x[0], x[1]); });
  if (way == kInPlace || way == kMapInPlace || way == kNumberInPlace) return {{}, {{0, result}}};
  if (way == kNumberWithOutput || way == kNumberFirstWithOutput) return {{}, {{1, result}}};
  if (way == kWithOutput || way == kMapWithOutput) return {{}, {{2, result}}};
  return {{result}, {}};
}

}  // namespace

std::vector<Operator> binary_operators() {
  std::vector<Operator> out;
  const auto add = [&](BinaryOpType op, Takes takes) {
    out.push_back({std::string("binary ") + name_of(op), [=](Draft& draft) { draw_binary(draft, op, takes); },
                   call_binary, binary_reference});
  };
#define BINARY_OPERATOR(op, name, function, operands, result, packed) add(BinaryOpType::op, Takes::operands);
#include "sw/libs/popops/operators.def"
  return out;
}

}  // namespace popops_test
