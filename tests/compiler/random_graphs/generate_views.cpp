#include "tests/compiler/random_graphs/generate_views.h"

#include <algorithm>

namespace tessera::test {
namespace {

Shape random_shape(Random& random) {
  if (random.one_in(20)) return {random.below(300) + 60};
  Shape shape;
  for (std::uint32_t rank = random.pick({0u, 1u, 1u, 1u, 2u, 2u, 2u, 3u}); rank > 0; --rank)
    shape.push_back(1 + random.below(random.pick({2u, 3u, 5u, 7u})));
  if (shape.size() == 1) shape[0] += random.below(12);
  return shape;
}

// n as a product.
Shape factors(Random& random, std::size_t n) {
  Shape shape;
  while (n > 1 && shape.size() < 3) {
    std::size_t divisor = 1 + random.below(static_cast<std::uint32_t>(std::min<std::size_t>(n, 12)));
    while (n % divisor != 0) --divisor;
    shape.push_back(divisor);
    n /= divisor;
  }
  shape.push_back(n);
  return shape;
}

}  // namespace

std::uint64_t ViewGenerator::value(Kind kind) {
  if (kind == Kind::kBool) return random_.below(2);
  if (is_floating(kind)) return element(kind, random_.between(-9, 9) * random_.pick({1.0, 1.0, 0.5, 0.25, 64.0}));
  if (random_.one_in(6)) return from_bytes(kind, to_bytes(kind, {random_.bits() >> 1}))[0];
  return element(kind, random_.between(random_.one_in(2) ? 0 : -4, 5));
}

Values ViewGenerator::values(Kind kind, std::size_t elements) {
  Values all;
  for (std::size_t i = 0; i < elements; ++i) all.push_back(value(kind));
  return all;
}

std::vector<Piece> ViewGenerator::mapping(std::size_t elements) {
  std::vector<Piece> pieces;
  const std::uint32_t most = random_.pick({1u, 3u, 8u, 1000u, 1000u});
  const bool linear = random_.one_in(3);
  const std::size_t each = (elements + recipe_.tiles - 1) / recipe_.tiles;
  for (unsigned tile = 0; elements > 0; ++tile) {
    const std::size_t n = linear ? each : std::min<std::size_t>(1 + random_.below(most), 1 + random_.below(20));
    pieces.push_back({std::min(n, elements), linear ? tile % recipe_.tiles : random_.below(recipe_.tiles)});
    if (most == 1000u && !linear) pieces.back().elements = elements;
    elements -= pieces.back().elements;
  }
  return pieces;
}

unsigned ViewGenerator::add_variable(Kind kind) { return add_variable(kind, random_shape(random_)); }

unsigned ViewGenerator::add_variable(Kind kind, const Shape& shape) {
  Variable made{kind, shape, mapping(count(shape)), random_.one_in(6), {}};
  made.read_at_end = !made.constant && !random_.one_in(3);
  if (made.constant || !random_.one_in(12)) made.values = values(kind, random_.one_in(5) ? 1 : count(shape));
  recipe_.variables.push_back(made);
  return static_cast<unsigned>(recipe_.variables.size() - 1);
}

View ViewGenerator::base(Kind kind, bool written) {
  std::vector<unsigned> fit;
  const bool other_kinds = random_.one_in(8);
  for (unsigned v = 0; v < recipe_.variables.size(); ++v) {
    const Variable& variable = recipe_.variables[v];
    if (written && (variable.constant || reserved_.count(v) > 0)) continue;
    if (variable.kind == kind || (other_kinds && same_bits(variable.kind, kind))) fit.push_back(v);
  }
  View view;
  if (fit.empty() || random_.one_in(10)) {
    view.variable = add_variable(kind);
    if (written) recipe_.variables[view.variable].constant = false;
  } else {
    view.variable = fit[random_.below(static_cast<std::uint32_t>(fit.size()))];
  }
  if (recipe_.variables[view.variable].kind != kind)
    view.ops.push_back({ViewOp::Is::kReinterpret, {static_cast<std::size_t>(kind)}, {}});
  return view;
}

// Something to concatenate along a dimension: the rest of the shape is the same.
View ViewGenerator::partner(const Shown& shown, unsigned dimension, bool written) {
  Shape shape = shown.shape;
  shape[dimension] = 1 + random_.below(3);
  View view = vector(shown.kind, written, count(shape));
  view.ops.push_back({ViewOp::Is::kReshape, shape, {}});
  return view;
}

ViewOp ViewGenerator::random_op(const Shown& shown, bool written) {
  using Is = ViewOp::Is;
  const std::size_t rank = shown.shape.size();
  if (rank == 0) return random_.one_in(2) ? ViewOp{Is::kExpand, {0}, {}} : ViewOp{Is::kFlatten, {}, {}};
  const std::size_t d = random_.below(static_cast<std::uint32_t>(rank));
  const auto size = static_cast<std::uint32_t>(shown.shape[d]);
  switch (random_.below(written ? 11 : 13)) {
    case 0:
    case 1: {
      const std::size_t begin = random_.below(size);
      std::size_t end = begin + 1 + random_.below(size - static_cast<std::uint32_t>(begin));
      if (random_.one_in(60)) end = begin;
      return {Is::kSlice, {begin, end, d}, {}};
    }
    case 2:
      return {Is::kIndex, {random_.below(static_cast<std::uint32_t>(shown.shape[0]))}, {}};
    case 3:
      return {Is::kReshape, factors(random_, shown.elements.size()), {}};
    case 4:
      return {Is::kFlatten, {}, {}};
    case 5: {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < rank; ++i)
        order.insert(order.begin() + random_.below(static_cast<std::uint32_t>(i + 1)), i);
      return {Is::kDimShuffle, order, {}};
    }
    case 6:
      return {Is::kSubSample, {1 + random_.below(3), d}, {}};
    case 7:
      return {Is::kReverse, {d}, {}};
    case 8:
      return {Is::kExpand, {random_.below(static_cast<std::uint32_t>(rank + 1))}, {}};
    case 9:
      if (size == 1) return {Is::kSqueeze, {d}, {}};
      return {Is::kReverse, {d}, {}};
    case 10:
      return {Is::kConcat, {d}, {partner(shown, static_cast<unsigned>(d), written)}};
    case 11:
      return {Is::kBroadcast, {1 + random_.below(3), d}, {}};
    default:
      return {Is::kUpsample, {1 + random_.below(3), d}, {}};
  }
}

void ViewGenerator::add_op(View& view, Shown& shown, bool written) {
  constexpr std::size_t kMost = 400;
  if (shown.elements.empty()) return;
  const ViewOp op = random_op(shown, written);
  try {
    const Shown after = apply(recipe_, op, shown);
    if (after.elements.size() > kMost || after.shape.size() > 4 || (written && has_aliases(after))) return;
    view.ops.push_back(op);
    shown = after;
  } catch (const Invalid&) {  // an operation that does not fit here
  }
}

View ViewGenerator::any(Kind kind, bool written) {
  View view = base(kind, written);
  Shown shown = show(recipe_, view);
  for (std::uint32_t n = random_.pick({0u, 0u, 1u, 1u, 2u, 3u, 4u}); n > 0; --n) add_op(view, shown, written);
  return view;
}

View ViewGenerator::vector(Kind kind, bool written, std::size_t elements) {
  using Is = ViewOp::Is;
  View view = any(kind, written);
  Shown shown = show(recipe_, view);
  std::size_t n = shown.elements.size();
  for (unsigned tries = 0; n < elements && tries < 4; ++tries) {  // rather one that is large enough
    view = any(kind, written);
    shown = show(recipe_, view);
    n = shown.elements.size();
  }
  if (n < elements && (written || n == 0 || random_.one_in(3))) {  // no view of a variable that is too small
    view = {add_variable(kind, {elements + random_.below(3)}), {}};
    if (written) recipe_.variables[view.variable].constant = false;
    shown = show(recipe_, view);
    n = shown.elements.size();
  }
  if (shown.shape.size() != 1) view.ops.push_back({Is::kFlatten, {}, {}});
  if (n < elements) {
    const std::size_t times = (elements + n - 1) / n;
    view.ops.push_back({Is::kBroadcast, {times, 0}, {}});
    n *= times;
  }
  if (n > elements) {
    const std::size_t begin = random_.below(static_cast<std::uint32_t>(n - elements + 1));
    view.ops.push_back({Is::kSlice, {begin, begin + elements, 0}, {}});
  }
  return view;
}

}  // namespace tessera::test
