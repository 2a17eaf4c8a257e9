#include "tests/libs/popops/generated/draft.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace popops_test {

namespace {

constexpr std::size_t kMostElements = 300;

std::string text_of(float value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9ef", static_cast<double>(value));
  return text;
}

template <class List>
std::string text_of_list(const List& list) {
  std::string text = "{";
  for (const auto n : list) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + "}";
}

}  // namespace

Type Draft::type(std::size_t usual) {
  static const std::vector<Type> types = {FLOAT, HALF,           INT,         UNSIGNED_INT, BOOL,
                                          SHORT, UNSIGNED_SHORT, SIGNED_CHAR, UNSIGNED_CHAR};
  return types[choices.below(full() ? types.size() : usual)];
}

Shape Draft::shape(std::size_t least, std::size_t most, bool may_be_empty) {
  Shape out(choices.between(least, most));
  if (out.size() == 1 && choices.one_in(4)) return {1 + choices.below(kMostElements)};
  for (std::size_t& d : out) d = 1 + choices.below(7);
  while (elements_of(out) > kMostElements) *std::max_element(out.begin(), out.end()) /= 2;
  if (may_be_empty && !out.empty() && choices.one_in(16)) out[choices.below(out.size())] = 0;
  return out;
}

Shape Draft::narrower(const Shape& shape) {
  Shape out(shape.begin() + static_cast<std::ptrdiff_t>(choices.below(shape.size() + 1)), shape.end());
  for (std::size_t& d : out) d = choices.below(3) == 0 ? 1 : d;
  return out;
}

Shape Draft::some_of(std::size_t rank) {
  Shape out;
  for (std::size_t d = 0; d < rank; ++d) {
    if (choices.below(2) == 0) continue;
    out.insert(out.begin() + choices.below(out.size() + 1), d);
  }
  return out;
}

std::size_t Draft::tensor(Type type, const Shape& shape, const Data& data, Use use) {
  View v = view(type, shape, data, use, use == Use::kVariable ? 0 : choices.below(3));
  c_.tensors.push_back(std::move(v));
  return c_.tensors.size() - 1;
}

std::size_t Draft::alias(std::size_t tensor) {
  View v = c_.tensors[tensor];
  const Shape shape = c_.show(tensor).shape;
  const std::uint32_t how = shape.empty() ? 0 : choices.below(3);
  const std::size_t d = shape.empty() ? 0 : choices.below(shape.size());
  if (how == 1) v.ops.push_back({ViewOp::Is::kReverse, {d}, {}});
  if (how == 2 && shape[d] > 1) {  // the first ones go behind the others
    const std::size_t first = 1 + choices.below(shape[d] - 1);
    View behind = v;
    behind.ops.push_back({ViewOp::Is::kSlice, {0, first, d}, {}});
    v.ops.push_back({ViewOp::Is::kSlice, {first, shape[d], d}, {}});
    v.ops.push_back({ViewOp::Is::kConcat, {d}, {behind}});
  }
  c_.tensors.push_back(std::move(v));
  return c_.tensors.size() - 1;
}

// Built backwards: what has to be there so that an operation of a view gives the shape.
View Draft::view(Type type, Shape shape, const Data& data, Use use, unsigned depth) {
  std::vector<ViewOp> ops;  // the last one first
  for (; depth != 0; --depth) {
    const auto add = [&](ViewOp::Is is, const Shape& at) { ops.push_back({is, at, {}}); };
    const std::size_t d = shape.empty() ? 0 : choices.below(shape.size());
    const auto kind = choices.below(8);
    if (kind == 0) {  // reshape
      add(ViewOp::Is::kReshape, shape);
      const std::size_t n = elements_of(shape);
      shape = {n};
      for (const std::size_t k : {2, 3, 5})
        if (n % k == 0 && n != 0 && choices.below(2) == 0) shape = {n / k, k};
      continue;
    }
    if (shape.empty()) continue;
    if (kind == 1 && shape.size() > 1) {
      Shape order(shape.size()), before(shape.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[choices.below(i)]);
      add(ViewOp::Is::kDimShuffle, order);
      for (std::size_t i = 0; i < order.size(); ++i) before[order[i]] = shape[i];
      shape = before;
    } else if (kind == 2) {
      const std::size_t begin = choices.below(4), behind = choices.below(4);
      add(ViewOp::Is::kSlice, {begin, begin + shape[d], d});
      shape[d] += begin + behind;
    } else if (kind == 3) {
      add(ViewOp::Is::kReverse, {d});
    } else if (kind == 4 && shape[d] != 0) {
      const std::size_t stride = 1 + choices.below(3);
      add(ViewOp::Is::kSubSample, {stride, d});
      shape[d] = (shape[d] - 1) * stride + 1 + choices.below(stride);
    } else if (kind == 5 && use == Use::kRead && shape[d] != 0) {
      const std::size_t times = shape[d] % 3 == 0 ? 3 : shape[d] % 2 == 0 ? 2 : shape[d];
      add(ViewOp::Is::kBroadcast, {times, d});
      shape[d] /= times;
    } else if (kind == 6 && use != Use::kWhole && shape[d] > 1) {
      Shape first = shape, second = shape;
      first[d] = 1 + choices.below(shape[d] - 1);
      second[d] -= first[d];
      ViewOp op{ViewOp::Is::kConcat, {d}, {}};
      View before = view(type, first, data, use, depth - 1);
      op.other.push_back(view(type, second, data, use, depth - 1));
      before.ops.push_back(op);
      before.ops.insert(before.ops.end(), ops.rbegin(), ops.rend());
      return before;
    }
  }
  std::reverse(ops.begin(), ops.end());
  return {variable(type, shape, data, use), std::move(ops)};
}

unsigned Draft::variable(Type type, const Shape& shape, const Data& data, Use use) {
  Variable v{type, shape, {}, {}};
  const std::size_t n = elements_of(shape);
  v.mapping = mapping(n);
  const std::uint32_t kind = choices.below(kKindsOfData);
  std::mt19937_64 random(choices.below(1U << 20));
  v.values = data(random, kind, n);
  v.constant = use == Use::kRead && n != 0 && choices.one_in(10);
  c_.variables.push_back(std::move(v));
  return static_cast<unsigned>(c_.variables.size() - 1);
}

std::vector<Piece> Draft::mapping(std::size_t n) {
  std::vector<Piece> out;
  const auto kind = choices.below(6);
  if (kind == 0) out = {{n, 0}};
  if (kind == 1) out = {{n, choices.below(kTilesOfCases)}};
  if (kind == 2 || kind == 3)  // linear, from the first tile or from the last
    for (unsigned i = 0; i < kTilesOfCases; ++i) {
      const std::size_t begin = i * n / kTilesOfCases, end = (i + 1) * n / kTilesOfCases;
      if (begin != end) out.push_back({end - begin, kind == 2 ? i : kTilesOfCases - 1 - i});
    }
  if (kind > 3)
    for (std::size_t left = n; left != 0;) {
      const std::size_t size = std::min(left, std::size_t{1} + choices.below(1 + n / 3));
      out.push_back({size, choices.below(kTilesOfCases)});
      left -= size;
    }
  return out;
}

void Draft::set(const std::string& name, const Shape& list) {
  c_.parameters.push_back({name, "const std::vector<std::size_t>", text_of_list(list), 0, list, FLOAT});
}
void Draft::set(const std::string& name, const std::vector<unsigned>& list) {
  c_.parameters.push_back(
      {name, "const std::vector<unsigned>", text_of_list(list), 0, Shape(list.begin(), list.end()), FLOAT});
}
void Draft::set(const std::string& name, const std::vector<std::ptrdiff_t>& list) {
  c_.parameters.push_back({name, "const std::vector<std::ptrdiff_t>", text_of_list(list), 0, {}, FLOAT, list});
}
void Draft::set(const std::string& name, Type type) {
  c_.parameters.push_back({name, "const Type", name_of(type), 0, {}, type});
}
void Draft::set(const std::string& name, bool value) {
  c_.parameters.push_back({name, "const bool", value ? "true" : "false", value ? 1.0 : 0.0, {}, FLOAT});
}
void Draft::set(const std::string& name, unsigned value) {
  c_.parameters.push_back({name, "const unsigned", std::to_string(value) + "u", static_cast<double>(value), {}, FLOAT});
}
void Draft::set(const std::string& name, int value) {
  c_.parameters.push_back({name, "const int", std::to_string(value), static_cast<double>(value), {}, FLOAT});
}
void Draft::set(const std::string& name, float value) {
  c_.parameters.push_back({name, "const float", text_of(value), static_cast<double>(value), {}, FLOAT});
}
void Draft::set(const std::string& name, const std::string& text, int value) {
  c_.parameters.push_back({name, "const auto", text, static_cast<double>(value), {}, FLOAT});
}
std::size_t Draft::way(const std::vector<std::size_t>& ways) {
  const std::size_t way = choices.pick(ways);
  c_.parameters.push_back({"way", "", "", static_cast<double>(way), {}, FLOAT});
  return way;
}
std::size_t Draft::way(std::size_t ways) {
  std::vector<std::size_t> all(ways);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return way(all);
}

}  // namespace popops_test
