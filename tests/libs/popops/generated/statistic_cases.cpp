// Histograms, pictures, splines.
#include <algorithm>
#include <cmath>
#include <popops/GatherStatistics.hpp>
#include <popops/NormaliseImage.hpp>
#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>

#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

// A result of sums and products in float, whose terms have that magnitude, of which there are so many.
double slack_of_sum(Type type, double value, double magnitude, double terms) {
  return (terms + 4) * std::ldexp(magnitude, -23) + 0.5001 * unit_in_last_place(type, value);
}

Data ascending() {
  return [](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
    Values out(n);
    double next = kind == 0 ? 1 : -8;
    for (double& v : out) {
      v = next;
      next += kind == 0 ? 1 : 0.5 * static_cast<double>(1 + random() % 6);
    }
    return out;
  };
}

Operator histogram() {
  const auto draw = [](Draft& draft) {
    const std::size_t way = draft.way(5);
    const Type type = draft.choices.pick({FLOAT, HALF});
    draft.set("absolute", draft.choices.below(2) == 1);
    draft.set("update", draft.choices.below(2) == 1);
    const Shape shape = draft.shape(0, 3, false);
    draft.tensor(type, shape, draft.choices.below(2) == 0 ? between(type, -10, 10) : any_values(type));
    const std::size_t levels = 1 + draft.choices.below(7);
    draft.tensor(type, {levels}, ascending(), Use::kVariable);
    if (way > 2) draft.tensor(way == 3 ? UNSIGNED_INT : FLOAT, {levels + 1}, whole(0, 9), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const bool absolute = c_.number("absolute") != 0, update = c_.number("update") != 0;
    if (way == 0) POPOPS_CALL(out = popops::histogram(graph, a, b, absolute, prog));
    if (way == 1)
      POPOPS_CALL(out = popops::histogram(graph, a, b, absolute, prog, "", {{"useFloatArithmetic", "true"}}));
    if (way == 2)
      POPOPS_CALL(out = popops::histogram(graph, a, b, absolute, prog, "",
                                          {{"useFloatArithmeticWithUnsignedIntOutput", "true"}}));
    if (way > 2) POPOPS_CALL(Tensor counts = c; popops::histogram(graph, a, counts, update, b, absolute, prog));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), levels = elements(c, 1);
    const auto way = static_cast<unsigned>(c.number("way"));
    Elements out{way == 1 || way == 4 ? FLOAT : UNSIGNED_INT, {levels.values.size() + 1}, {}};
    out.values = way > 2 && c.number("update") != 0 ? elements(c, 2).values : Values(out.shape[0]);
    for (const double v : a.values) {
      std::size_t entry = 0;
      for (const double level : levels.values) entry += (c.number("absolute") != 0 ? std::fabs(v) : v) >= level ? 1 : 0;
      out.values[entry] += 1;
    }
    if (way > 2) return {{}, {{2, exactly(out)}}};
    return {{exactly(out)}, {}};
  };
  return {"histogram", draw, call, reference};
}

Operator normalise_image() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({UNSIGNED_CHAR, HALF, FLOAT}), to = type == UNSIGNED_CHAR ? HALF : type;
    Shape shape = draft.shape(1, 3, false);
    shape.push_back(3);
    draft.set("type", type);
    draft.set("shape", shape);
    draft.set("scale", draft.choices.pick({0.5f, 1.0f, 0.01f}));
    draft.tensor(type, shape, type == UNSIGNED_CHAR ? any_values(type) : between(type, -100, 100));
    draft.tensor(to, {3}, between(to, -4, 4));
    draft.tensor(to, {3}, between(to, -2, 2));
  };
  // Pixels are whole on their tiles in a tensor that is made for it.
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const Type type = c_.type("type");
    const Shape shape = c_.list("shape");
    const auto scale = static_cast<float>(c_.number("scale"));
    POPOPS_CALL(Tensor picture = popops::createNormaliseImageInput(graph, type, shape); prog.add(Copy(a, picture));
                out = popops::normaliseImage(graph, prog, picture, scale, b, c));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), offsets = elements(c, 1), scales = elements(c, 2);
    Expected out{a.type == UNSIGNED_CHAR ? HALF : a.type, a.shape, {}, {}};
    out.shape.back() = 4;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const double scaled = a.values[i] * c.number("scale"), offset = offsets.values[i % 3], by = scales.values[i % 3];
      const double value = (scaled - offset) * by;
      out.values.push_back(value);
      out.slack.push_back(slack_of_sum(out.type, value, (std::fabs(scaled) + std::fabs(offset)) * std::fabs(by), 1));
      if (i % 3 != 2) continue;
      out.values.push_back(0);
      out.slack.push_back(0);
    }
    return {{out}, {}};
  };
  return {"normaliseImage", draw, call, reference};
}

// Cox and de Boor's recursion on the knots 0, 1, 2, ...
double b_spline(unsigned degree, double x) {
  if (degree == 0) return x >= 0 && x < 1 ? 1 : 0;
  return (x * b_spline(degree - 1, x) + (degree + 1 - x) * b_spline(degree - 1, x - 1)) / degree;
}

std::size_t power(std::size_t base, std::size_t exponent) {
  std::size_t out = 1;
  while (exponent-- != 0) out *= base;
  return out;
}

Operator spline_basis() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({FLOAT, HALF});
    const unsigned degree = 1 + draft.choices.below(3);
    const std::size_t edges = 1 + draft.choices.below(12), dims = 1 + draft.choices.below(degree == 3 ? 2 : 3);
    const std::size_t splines = power(degree + 1, dims);
    draft.set("degree", degree);
    // Where a coordinate is in its piece is exact.
    draft.tensor(type, {edges, dims}, [](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
      Values out(n);
      for (double& v : out) v = kind == 0 ? 0.5 : static_cast<double>(random() % 64) / 64;
      return out;
    });
    draft.tensor(INT, {dims}, whole(degree + 1, degree + 4));
    draft.tensor(UNSIGNED_CHAR, {dims}, whole(0, 1));
    draft.tensor(type, {edges, splines}, whole(0, 1), Use::kWritten);
    draft.tensor(INT, {edges, splines}, whole(0, 1), Use::kWritten);
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto degree = static_cast<unsigned>(c_.number("degree"));
    POPOPS_CALL(popops::splineBasis(graph, a, b, c, d, e, degree, prog));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements pseudo = elements(c, 0), sizes = elements(c, 1), open = elements(c, 2);
    const auto degree = static_cast<unsigned>(c.number("degree"));
    const std::size_t edges = pseudo.shape[0], dims = pseudo.shape[1], splines = power(degree + 1, dims);
    Expected basis{pseudo.type, {edges, splines}, {}, {}}, index{INT, {edges, splines}, {}, {}};
    for (std::size_t e = 0; e < edges; ++e) {
      for (std::size_t s = 0; s < splines; ++s) {
        double product = 1;
        std::size_t rest = s, place = 0, digit = 1;
        for (std::size_t d = 0; d < dims; ++d) {
          const std::size_t k = rest % (degree + 1), size = static_cast<std::size_t>(sizes.values[d]);
          rest /= degree + 1;
          const double v = pseudo.values[e * dims + d] * (sizes.values[d] - degree * open.values[d]);
          // Piece k is where the spline that begins k knots before the last one is at v.
          product *= b_spline(degree, v - std::floor(v) + static_cast<double>(degree - k));
          place += (static_cast<std::size_t>(v) + k) % size * digit;
          digit *= size;
        }
        basis.values.push_back(product);
        basis.slack.push_back(slack_of_sum(basis.type, product, 1, 4 * static_cast<double>(dims)));
        index.values.push_back(static_cast<double>(place));
      }
    }
    return {{}, {{3, basis}, {4, index}}};
  };
  return {"splineBasis", draw, call, reference};
}

Operator spline_weighting() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({FLOAT, HALF});
    const std::size_t edges = 1 + draft.choices.below(9), inputs = 1 + draft.choices.below(4);
    const std::size_t outputs = 1 + draft.choices.below(7), splines = 1 + draft.choices.below(4);
    const std::size_t kernels = 1 + draft.choices.below(5);
    draft.tensor(type, {edges, inputs}, between(type, -4, 4));
    draft.tensor(type, {kernels, inputs, outputs}, between(type, -4, 4));
    draft.tensor(type, {edges, splines}, between(type, 0, 1));
    draft.tensor(INT, {edges, splines}, whole(0, static_cast<double>(kernels - 1)));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    POPOPS_CALL(out = popops::splineWeighting(graph, a, b, c, d, prog));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements input = elements(c, 0), weight = elements(c, 1), basis = elements(c, 2), index = elements(c, 3);
    const std::size_t edges = input.shape[0], inputs = input.shape[1], outputs = weight.shape[2],
                      splines = basis.shape[1];
    Expected out{input.type, {edges, outputs}, {}, {}};
    for (std::size_t e = 0; e < edges; ++e) {
      for (std::size_t o = 0; o < outputs; ++o) {
        double sum = 0, magnitude = 0;
        for (std::size_t s = 0; s < splines; ++s) {
          const auto kernel = static_cast<std::size_t>(index.values[e * splines + s]);
          for (std::size_t i = 0; i < inputs; ++i) {
            const double term = basis.values[e * splines + s] * input.values[e * inputs + i] *
                                weight.values[(kernel * inputs + i) * outputs + o];
            sum += term;
            magnitude += std::fabs(term);
          }
        }
        out.values.push_back(sum);
        out.slack.push_back(slack_of_sum(out.type, sum, magnitude, static_cast<double>(splines * inputs)));
      }
    }
    return {{out}, {}};
  };
  return {"splineWeighting", draw, call, reference};
}

}  // namespace

std::vector<Operator> statistic_operators() {
  return {histogram(), normalise_image(), spline_basis(), spline_weighting()};
}

}  // namespace popops_test
