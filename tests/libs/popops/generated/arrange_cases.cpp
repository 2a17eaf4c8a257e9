// Padding, transpositions, other groups in memory, loops that count.
#include <algorithm>
#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>
#include <popops/Pad.hpp>
#include <popops/Rearrange.hpp>

#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

// Elements of a tensor of which each dimension begins `lower` elements earlier and is `upper` longer; outside(d, i):
// which coordinate stands for i, that the dimension has not, or none.
constexpr std::size_t kNone = ~std::size_t{0};
template <class Outside>
Elements padded(const Case& c, double value, Outside outside) {
  const Elements a = elements(c, 0);
  const std::vector<std::ptrdiff_t>&lower = c.parameter("lower").whole, &upper = c.parameter("upper").whole;
  Elements out{a.type, a.shape, {}};
  for (std::size_t d = 0; d < a.shape.size(); ++d)
    out.shape[d] = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(a.shape[d]) + lower[d] + upper[d]);
  for (std::size_t i = 0; i < elements_of(out.shape); ++i) {
    const Shape at = coordinates(out.shape, i);
    std::size_t index = 0;
    bool inside = true;
    for (std::size_t d = 0; d < at.size(); ++d) {
      std::ptrdiff_t in = static_cast<std::ptrdiff_t>(at[d]) - lower[d];
      const auto size = static_cast<std::ptrdiff_t>(a.shape[d]);
      const std::size_t coordinate = in >= 0 && in < size ? static_cast<std::size_t>(in) : outside(in, size);
      inside &= coordinate != kNone;
      index = index * a.shape[d] + (coordinate == kNone ? 0 : coordinate);
    }
    out.values.push_back(inside ? a.values[index] : value);
  }
  return out;
}

// At least one element of each dimension stays.
void draw_padding(Draft& draft, const Shape& shape, bool reflect) {
  std::vector<std::ptrdiff_t> lower, upper;
  for (const std::size_t d : shape) {
    const std::size_t most = reflect ? std::min<std::size_t>(d - 1, 3) : 3;
    for (auto* side : {&lower, &upper}) {
      std::ptrdiff_t n = draft.choices.below(most + 1);
      const std::ptrdiff_t left =
          static_cast<std::ptrdiff_t>(d) + (side == &upper ? std::min<std::ptrdiff_t>(lower.back(), 0) : 0);
      if (!reflect && draft.choices.one_in(4) && n < left) n = -n;
      side->push_back(n);
    }
  }
  draft.set("lower", lower);
  draft.set("upper", upper);
}

Operator pad() {
  const auto draw = [](Draft& draft) {
    const std::size_t way = draft.way(3);
    const Type type = draft.choices.pick({FLOAT, HALF, INT, UNSIGNED_CHAR});
    const Shape shape = draft.shape(0, 4, false);
    draw_padding(draft, shape, false);
    const bool edge = draft.choices.below(2) == 1;
    draft.set("method", std::string("popops::padding::MappingMethod::") + (edge ? "EDGE" : "ZERO"), edge);
    if (way == 0)
      draft.set("value", draft.choices.pick({0.0f, 2.0f}));
    else
      draft.set("value", draft.choices.pick({0, 3}));
    draft.tensor(type, shape, any_values(type), Use::kWritten);
    if (way == 2) draft.tensor(type, {}, any_values(type), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto lower = c_.parameter("lower").whole, upper = c_.parameter("upper").whole;
    const auto method =
        c_.number("method") != 0 ? popops::padding::MappingMethod::EDGE : popops::padding::MappingMethod::ZERO;
    if (way == 0) {
      const auto value = static_cast<float>(c_.number("value"));
      POPOPS_CALL(out = popops::pad(graph, a, lower, upper, value, method));
    }
    if (way == 1) {
      const auto value = static_cast<int>(c_.number("value"));
      POPOPS_CALL(out = popops::pad(graph, a, lower, upper, value, method));
    }
    if (way == 2) POPOPS_CALL(out = popops::pad(graph, a, lower, upper, b, method));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const double value = c.number("way") == 2 ? elements(c, 1).values[0] : c.number("value");
    return {{exactly(padded(c, value, [](std::ptrdiff_t, std::ptrdiff_t) { return kNone; }))}, {}};
  };
  return {"pad with a value", draw, call, reference};
}

Operator pad_with_own() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const bool reflect = draft.choices.below(2) == 1;
    const Type type = draft.choices.pick({FLOAT, HALF, INT, UNSIGNED_CHAR});
    const Shape shape = draft.shape(0, 4, false);
    draft.set("type", std::string("popops::padding::Type::") + (reflect ? "REFLECT" : "EDGE"), reflect);
    draw_padding(draft, shape, reflect);
    draft.tensor(type, shape, any_values(type));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto lower = c_.parameter("lower").whole, upper = c_.parameter("upper").whole;
    const auto type = c_.number("type") != 0 ? popops::padding::Type::REFLECT : popops::padding::Type::EDGE;
    POPOPS_CALL(out = popops::pad(a, lower, upper, type));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const bool reflect = c.number("type") != 0;
    return {{exactly(padded(c, 0,
                            [&](std::ptrdiff_t i, std::ptrdiff_t size) {
                              const std::ptrdiff_t mirrored = i < 0 ? -i : 2 * (size - 1) - i;
                              return static_cast<std::size_t>(reflect ? mirrored : i < 0 ? 0 : size - 1);
                            }))},
            {}};
  };
  return {"pad with own elements", draw, call, reference};
}

Operator transpose() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({FLOAT, HALF, UNSIGNED_CHAR});
    Shape shape = draft.shape(2, 4);
    if (draft.choices.below(2) == 1) shape = {1 + draft.choices.below(2), 4 + 4 * draft.choices.below(3), 8};
    draft.tensor(type, shape, any_values(type));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    POPOPS_CALL(ComputeSet cs = graph.addComputeSet("transpose");
                out = popops::rearrange::partialTranspose(graph, a, cs); prog.add(Execute(cs)));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements a = elements(c, 0);
    Elements out = a;
    const std::size_t rank = a.shape.size(), rows = a.shape[rank - 2], columns = a.shape[rank - 1];
    std::swap(out.shape[rank - 2], out.shape[rank - 1]);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const std::size_t matrix = i / (rows * columns), row = i / columns % rows, column = i % columns;
      out.values[(matrix * columns + column) * rows + row] = a.values[i];
    }
    return {{exactly(out)}, {}};
  };
  return {"partialTranspose", draw, call, reference};
}

// Values stay.
Operator regroup() {
  const auto draw = [](Draft& draft) {
    const std::size_t way = draft.way(3);
    const Type type = draft.choices.pick({FLOAT, HALF});
    const std::size_t rows = 4 * (1 + draft.choices.below(4)), columns = 4 * (1 + draft.choices.below(4));
    draft.tensor(type, {rows, columns}, any_values(type));
    if (way == 1) draft.tensor(type, {rows, columns}, any_values(type));
    draft.set("from", draft.choices.below(2));
    draft.set("size", 2u << draft.choices.below(2));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto from = static_cast<unsigned>(c_.number("from")), size = static_cast<unsigned>(c_.number("size"));
    if (way == 0) POPOPS_CALL(out = popops::rearrange::regroupIfBeneficial(graph, a, size, prog));
    if (way == 1) POPOPS_CALL(out = popops::rearrange::regroupIfBeneficial(graph, a, b, prog));
    if (way == 2)
      POPOPS_CALL(ComputeSet cs = graph.addComputeSet("regroup");
                  out = popops::rearrange::regroupTensor(graph, a, prog, cs, {from, size}, {1 - from, size});
                  prog.add(Execute(cs)));
  };
  const auto reference = [](const Case& c) -> Expectation { return {{exactly(elements(c, 0))}, {}}; };
  return {"regroup", draw, call, reference};
}

Operator counted_loop() {
  const auto draw = [](Draft& draft) {
    draft.way(3);
    draft.set("begin", draft.choices.below(4));
    draft.set("turns", draft.choices.below(5));
    draft.set("step", 1 + draft.choices.below(3));
    draft.tensor(INT, {}, whole(0, 9), Use::kWritten);
    draft.tensor(INT, {}, whole(0, 9), Use::kWritten);
    draft.tensor(INT, {1}, whole(0, 9), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto begin = static_cast<unsigned>(c_.number("begin")), turns = static_cast<unsigned>(c_.number("turns")),
               step = static_cast<unsigned>(c_.number("step"));
    if (way == 0)
      POPOPS_CALL(prog.add(popops::countedLoop(graph, begin, begin + turns * step, step, [&](const Tensor& count) {
        Sequence body;
        popops::addInPlace(graph, a, count.reshape({}), body);
        return body;
      })));
    if (way == 1)
      POPOPS_CALL(Sequence body; popops::addInPlace(graph, a, b, body);
                  prog.add(popops::countedForLoop(graph, b, int(begin), c, int(step), body)));
    if (way == 2)
      POPOPS_CALL(Sequence body; popops::addInPlace(graph, a, b, body);
                  prog.add(popops::countedForLoop(graph, int(begin + turns), c, -int(step), body)));
  };
  const auto reference = [](const Case& c) -> Expectation {
    Elements a = elements(c, 0), b = elements(c, 1);
    const double limit = elements(c, 2).values[0];
    const double begin = c.number("begin"), turns = c.number("turns"), step = c.number("step");
    const auto way = static_cast<unsigned>(c.number("way"));
    if (way == 0)
      for (double i = 0; i < turns; ++i) a.values[0] += begin + i * step;
    double i = begin;
    if (way == 1) {
      for (; i < limit; i += step) a.values[0] += i;
      b.values[0] = i;
      return {{}, {{0, exactly(a)}, {1, exactly(b)}}};
    }
    if (way == 2)
      for (i = begin + turns; i > limit; i -= step) a.values[0] += b.values[0];
    return {{}, {{0, exactly(a)}}};
  };
  return {"counted loops", draw, call, reference};
}

}  // namespace

std::vector<Operator> arrange_operators() { return {pad(), pad_with_own(), transpose(), regroup(), counted_loop()}; }

}  // namespace popops_test
