#include "tests/libs/popops/generated/reduce_reference.h"

#include <algorithm>
#include <cmath>

#include "tests/libs/popops/generated/bounds.h"
#include "tests/libs/popops/generated/data.h"
#include "tests/libs/popops/generated/element_wise_reference.h"

namespace popops_test {

using popops::Operation;

namespace {

double neutral(Operation op, Type type) {
  switch (op) {
    case Operation::MUL:
    case Operation::LOGICAL_AND:
      return 1;
    case Operation::MIN:
      return is_float(type) ? INFINITY : highest(type);
    case Operation::MAX:
      return is_float(type) ? -INFINITY : lowest(type);
    case Operation::LOG_ADD:
      return -INFINITY;
    default:
      return 0;
  }
}

double joined(Operation op, Type type, double x, double y) {
  const auto whole = [&](auto f) {
    return is_float(type) ? f(x, y) : wrapped(type, f(static_cast<__int128>(x), static_cast<__int128>(y)));
  };
  switch (op) {
    case Operation::ADD:
      return whole([](auto a, auto b) { return a + b; });
    case Operation::SQUARE_ADD:
      return whole([](auto a, auto b) { return a + b * b; });
    case Operation::MUL:
      return whole([](auto a, auto b) { return a * b; });
    case Operation::MIN:
      return smaller(x, y);
    case Operation::MAX:
      return larger(x, y);
    case Operation::LOGICAL_AND:
      return x != 0 && y != 0;
    case Operation::LOGICAL_OR:
      return x != 0 || y != 0;
    case Operation::LOG_ADD:
      return x == -INFINITY ? y : y == -INFINITY ? x : larger(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
  }
  return 0;
}

}  // namespace

std::string name_of(Operation op) {
  static const char* const names[] = {"ADD", "MUL", "MIN", "MAX", "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOG_ADD"};
  return names[static_cast<std::size_t>(op)];
}

Expected reduced(const Elements& in, const Reduced& reduction) {
  Expected out{reduction.type, {}, {}, {}};
  std::vector<bool> gone(in.shape.size());
  for (const std::size_t d : reduction.dims) gone[d] = true;
  for (std::size_t d = 0; d < in.shape.size(); ++d)
    if (!gone[d]) out.shape.push_back(in.shape[d]);
  const std::size_t n = elements_of(out.shape);
  // Beside the result, the sum of magnitudes, of which roundings are a part, and the number of roundings.
  Values result(n, neutral(reduction.op, in.type)), magnitude(n, 0.0), operands(n, 0.0);
  for (std::size_t i = 0; i < in.values.size(); ++i) {
    std::size_t rest = i, at = 0, stride = 1;
    for (std::size_t d = in.shape.size(); d-- > 0;) {
      const std::size_t coordinate = rest % in.shape[d];
      rest /= in.shape[d];
      if (gone[d]) continue;
      at += coordinate * stride;
      stride *= in.shape[d];
    }
    const double x = in.values[i];
    result[at] = joined(reduction.op, in.type, result[at], x);
    magnitude[at] += reduction.op == Operation::SQUARE_ADD ? x * x : std::fabs(x);
    operands[at] += 1;
  }
  const bool sum = reduction.op == Operation::ADD || reduction.op == Operation::SQUARE_ADD;
  const bool rounds = is_float(in.type) && (sum || reduction.op == Operation::LOG_ADD);
  for (std::size_t i = 0; i < n; ++i) {
    double value = result[i] * (sum && is_float(in.type) ? reduction.scale : 1);
    double of = magnitude[i] * std::fabs(reduction.scale);
    if (!reduction.before.empty()) {
      value += reduction.before[i];
      of += std::fabs(reduction.before[i]);
    }
    if (!is_float(in.type)) {
      out.values.push_back(in.type == BOOL ? value : wrapped(in.type, static_cast<__int128>(value)));
      continue;
    }
    if (!rounds) {
      out.values.push_back(nearest(reduction.type, value));
      continue;
    }
    const double each = reduction.op == Operation::LOG_ADD ? bound("LOG_ADD", FLOAT) : 1;
    if (reduction.op == Operation::LOG_ADD)
      of = std::max(1.0, of / std::max(1.0, operands[i]) + std::log(operands[i] + 1));
    out.values.push_back(value);
    out.slack.push_back((operands[i] + 2) * each * std::ldexp(of, -24) +
                        bound("ADD", reduction.type) * unit_in_last_place(reduction.type, value));
  }
  return out;
}

}  // namespace popops_test
