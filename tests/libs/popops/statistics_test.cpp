// Histograms, pictures and splines against loops by hand.
#include <cmath>
#include <limits>
#include <popops/GatherStatistics.hpp>
#include <popops/NormaliseImage.hpp>
#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;

TEST_CASE("Histograms count what lies between levels") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (int i = 0; i < rounds(24); ++i) {
    const Type type = i % 2 == 0 ? FLOAT : HALF;
    const bool absolute = i % 4 < 2, floats = i % 8 >= 4;
    const std::size_t n = 1 + on.random() % 300, levels = 1 + on.random() % 9;
    Values values(n), bounds(levels), counts(levels + 1);
    for (double& v : values) v = static_cast<double>(on.random() % 41) / 2 - 10;
    for (std::size_t l = 0; l < levels; ++l) bounds[l] = static_cast<double>(l * 2) - static_cast<double>(levels) / 2;
    values[0] = std::numeric_limits<double>::quiet_NaN();
    for (const double v : values) {
      std::size_t entry = 0;
      for (const double bound : bounds) entry += (absolute ? std::fabs(v) : v) >= bound;
      ++counts[entry];
    }
    const std::string name = std::to_string(i);
    const Tensor in = on.tensor(type, {n}, values, "in " + name), at = on.tensor(type, {levels}, bounds, "at " + name);
    const OptionFlags options{
        {floats ? "useFloatArithmeticWithUnsignedIntOutput" : "useFloatArithmetic", floats ? "true" : "false"}};
    const Tensor found = popops::histogram(on.graph, in, at, absolute, prog, "count", options);
    CHECK(found.elementType() == UNSIGNED_INT);
    on.read(found, "new " + name);
    expected["new " + name] = counts;
    Values old(levels + 1, 5), sum = counts;
    Tensor out = on.tensor(UNSIGNED_INT, {levels + 1}, old, "out " + name);
    const bool update = on.random() % 2 == 0;
    if (update)
      for (double& c : sum) c += 5;
    popops::histogram(on.graph, in, out, update, at, absolute, prog, "count", options);
    on.read(out, "out " + name);
    expected["out " + name] = sum;
  }
  const Tensor in = on.tensor(FLOAT, {2, 2}, {1, 2, 3, 4}, "in"), at = on.tensor(FLOAT, {1}, {3}, "at");
  Tensor as_float = on.tensor(FLOAT, {2}, {0.5, 0.5}, "float");
  popops::histogram(on.graph, in, as_float, true, at, false, prog);
  on.read(as_float, "float");
  expected["float"] = {2.5, 2.5};
  const Tensor floats = popops::histogram(on.graph, in, at, false, prog, {}, {{"useFloatArithmetic", "true"}});
  CHECK(floats.elementType() == FLOAT);
  on.read(floats, "floats");
  expected["floats"] = {2, 2};
  CHECK(on.run(prog) == expected);
}

TEST_CASE("What histograms cannot do is said") {
  OnModel on;
  Sequence prog;
  const Tensor in = on.tensor(FLOAT, {4}, Values(4), "in"), ints = on.tensor(INT, {4}, Values(4), "ints");
  Tensor out = on.tensor(FLOAT, {5}, Values(5), "out");
  const OptionFlags both{{"useFloatArithmetic", "true"}, {"useFloatArithmeticWithUnsignedIntOutput", "true"}};
  const OptionFlags one{{"useFloatArithmetic", "true"}}, other{{"useFloatArithmeticWithUnsignedIntOutput", "true"}};
  CHECK_THROWS_AS(popops::histogram(on.graph, in, in, false, prog, {}, both), poplar::invalid_option);
  CHECK_THROWS_WITH(popops::histogram(on.graph, in, in, false, prog, {}, both), ContainsText("exclude each other"));
  CHECK_THROWS_AS(popops::histogram(on.graph, in, out, false, in, false, prog, {}, one), poplar::invalid_option);
  CHECK_THROWS_WITH(popops::histogram(on.graph, in, out, false, in, false, prog, {}, other),
                    ContainsText("'out' of shape {5}: of type float, not unsigned int"));
  CHECK_THROWS_WITH(popops::histogram(on.graph, in, out, false, in.slice(0, 2), false, prog),
                    ContainsText("not a vector of 3 entries"));
  CHECK_THROWS_WITH(popops::histogram(on.graph, ints, ints, false, prog), ContainsText("of type int"));
  CHECK_THROWS_WITH(popops::histogram(on.graph, in, ints, false, prog),
                    ContainsText("'ints' of shape {4}: not a vector of levels of the type of 'in'"));
}

TEST_CASE("Pictures are scaled and padded") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  const Values offsets{1, -2, 0.5}, scales{2, 0.25, -1};
  for (const Type type : {UNSIGNED_CHAR, HALF, FLOAT}) {
    const Type to = type == UNSIGNED_CHAR ? HALF : type;
    const std::size_t rows = 3 + on.random() % 5, columns = 1 + on.random() % 9;
    const std::string name = type.toString().cloneAsString();
    const Tensor in = popops::createNormaliseImageInput(on.graph, type, {rows, columns, 3}, "picture");
    Values values(in.numElements()), out;
    for (double& v : values) v = static_cast<double>(on.random() % 256);
    on.write(in, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      out.push_back(rounded(to, (values[i] * 0.5 - offsets[i % 3]) * scales[i % 3]));
      if (i % 3 == 2) out.push_back(0);
    }
    const Tensor result = popops::normaliseImage(on.graph, prog, in, 0.5f, on.tensor(to, {3}, offsets, "offsets"),
                                                 on.tensor(to, {3}, scales, "scales"), "normalise");
    CHECK(result.shape() == std::vector<std::size_t>{rows, columns, 4});
    CHECK(result.elementType() == to);
    on.read(result, name);
    expected[name] = out;
  }
  CHECK(on.run(prog) == expected);

  const Tensor three = on.tensor(FLOAT, {3}, offsets, "three");
  const Tensor cut = on.graph.addVariable(FLOAT, {4, 3}, "cut"), wide = on.tensor(FLOAT, {3, 4}, {}, "wide");
  on.graph.setTileMapping(cut.flatten().slice(0, 4), 0);
  on.graph.setTileMapping(cut.flatten().slice(4, 12), 1);
  const auto normalise = [&](const Tensor& t, float scale, const Tensor& by) {
    popops::normaliseImage(on.graph, prog, t, scale, three, by);
  };
  CHECK_THROWS_WITH(normalise(cut, 1, three), ContainsText("tile 0 holds a part of a pixel"));
  CHECK_THROWS_WITH(normalise(wide, 1, three), ContainsText("'wide' of shape {3,4}: of type float, not pixels"));
  CHECK_THROWS_WITH(normalise(cut, 0, three), ContainsText("an inScale of 0"));
  CHECK_THROWS_WITH(normalise(cut, 1, wide[0]), ContainsText("not 3 elements of type float"));
  CHECK_THROWS_WITH(popops::createNormaliseImageInput(on.graph, INT, {4, 3}), ContainsText("the type is int"));
  CHECK_THROWS_WITH(popops::createNormaliseImageInput(on.graph, FLOAT, {3}), ContainsText("has 1 dimensions"));
}

namespace {

// Cox and de Boor's recursion on the knots 0, 1, 2, ...
double b_spline(unsigned degree, double x) {
  if (degree == 0) return x >= 0 && x < 1 ? 1 : 0;
  return (x * b_spline(degree - 1, x) + (degree + 1 - x) * b_spline(degree - 1, x - 1)) / degree;
}

}  // namespace

TEST_CASE("Splines weight the features of edges") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  std::map<std::string, double> bound;
  for (int i = 0; i < rounds(12); ++i) {
    const Type type = i % 2 == 0 ? FLOAT : HALF;
    const unsigned degree = i % 2 == 0 ? 1 + static_cast<unsigned>(i) / 2 % 3 : 2;
    const std::size_t edges = 1 + on.random() % 20, dims = 1 + on.random() % 3, inputs = 1 + on.random() % 4;
    const std::size_t outputs = 1 + on.random() % 7;
    std::size_t splines = 1, kernels = 1;
    Values pseudo(edges * dims), sizes(dims), open(dims);
    for (std::size_t d = 0; d < dims; ++d) {
      sizes[d] = static_cast<double>(degree + 1 + on.random() % 4);
      open[d] = static_cast<double>(on.random() % 2);
      splines *= degree + 1;
      kernels *= static_cast<std::size_t>(sizes[d]);
    }
    for (double& v : pseudo) v = static_cast<double>(on.random() % 64) / 64;
    Values basis, indices, input(edges * inputs), weight(kernels * inputs * outputs), out(edges * outputs);
    for (std::size_t e = 0; e < edges; ++e) {
      for (std::size_t s = 0; s < splines; ++s) {
        double product = 1;
        std::size_t rest = s, index = 0, digit = 1;
        for (std::size_t d = 0; d < dims; ++d) {
          const std::size_t k = rest % (degree + 1), size = static_cast<std::size_t>(sizes[d]);
          rest /= degree + 1;
          const double v = pseudo[e * dims + d] * (sizes[d] - degree * open[d]);
          // Piece k is where the spline that begins k knots before the last one is at v.
          product *= b_spline(degree, v - std::floor(v) + static_cast<double>(degree - k));
          index += (static_cast<std::size_t>(v) + k) % size * digit;
          digit *= size;
        }
        basis.push_back(product);
        indices.push_back(static_cast<double>(index));
      }
    }
    for (double& v : input) v = static_cast<double>(on.random() % 9) - 4;
    for (double& v : weight) v = static_cast<double>(on.random() % 9) - 4;
    for (std::size_t e = 0; e < edges; ++e)
      for (std::size_t s = 0; s < splines; ++s)
        for (std::size_t in = 0; in < inputs; ++in)
          for (std::size_t o = 0; o < outputs; ++o)
            out[e * outputs + o] +=
                basis[e * splines + s] * input[e * inputs + in] *
                weight[(static_cast<std::size_t>(indices[e * splines + s]) * inputs + in) * outputs + o];
    const std::string name = std::to_string(i);
    const Tensor b = on.graph.addVariable(type, {edges, splines}, "basis");
    const Tensor w = on.graph.addVariable(INT, {edges, splines}, "weight index");
    on.spread(b);
    on.spread(w);
    popops::splineBasis(on.graph, on.tensor(type, {edges, dims}, pseudo, "pseudo"),
                        on.tensor(INT, {dims}, sizes, "sizes"), on.tensor(UNSIGNED_CHAR, {dims}, open, "open"), b, w,
                        degree, prog, "basis");
    const Tensor result =
        popops::splineWeighting(on.graph, on.tensor(type, {edges, inputs}, input, "input"),
                                on.tensor(type, {kernels, inputs, outputs}, weight, "weight"), b, w, prog, "weighting");
    const auto expect = [&](const Tensor& t, const std::string& what, const Values& values, double most) {
      on.read(t, what + name);
      expected[what + name] = values;
      bound[what + name] = most;
    };
    expect(b, "basis ", basis, type == FLOAT ? 1e-6 : 5e-4);
    expect(w, "index ", indices, 0);
    expect(result, "result ", out, (type == FLOAT ? 2e-5 : 1e-2) * static_cast<double>(inputs));
  }
  for (const auto& got : on.run(prog)) {
    INFO(got.first);
    const Values& want = expected.at(got.first);
    REQUIRE(got.second.size() == want.size());
    for (std::size_t k = 0; k < want.size(); ++k)
      CHECK(std::fabs(got.second[k] - want[k]) <= bound.at(got.first) * std::max(1.0, std::fabs(want[k])));
  }
}

TEST_CASE("What splines cannot do is said") {
  OnModel on;
  Sequence prog;
  const Tensor pseudo = on.tensor(FLOAT, {3, 2}, Values(6), "pseudo"), sizes = on.tensor(INT, {2}, {2, 2}, "sizes");
  const Tensor open = on.tensor(UNSIGNED_CHAR, {2}, {0, 0}, "open"), basis = on.tensor(FLOAT, {3, 4}, {}, "basis");
  const Tensor index = on.tensor(INT, {3, 4}, {}, "index");
  const auto make = [&](const Tensor& p, const Tensor& s, const Tensor& b, unsigned degree) {
    popops::splineBasis(on.graph, p, s, open, b, index, degree, prog);
  };
  CHECK_THROWS_WITH(make(pseudo, sizes, basis, 4), ContainsText("a degree of 4, not 1, 2 or 3"));
  CHECK_THROWS_WITH(make(pseudo, sizes, basis, 2),
                    ContainsText("'basis' of shape {3,4}: of type float, not float[3,9]"));
  CHECK_THROWS_WITH(make(pseudo[0], sizes, basis, 1), ContainsText("not a matrix of float or half"));
  CHECK_THROWS_WITH(make(pseudo, open, basis, 1),
                    ContainsText("'open' of shape {2}: of type unsigned char, not int[2]"));
  const Tensor input = on.tensor(FLOAT, {3, 5}, {}, "input"), weight = on.tensor(FLOAT, {4, 5, 2}, {}, "weight");
  const auto weigh = [&](const Tensor& i, const Tensor& w, const Tensor& b) {
    popops::splineWeighting(on.graph, i, w, b, index, prog);
  };
  CHECK_THROWS_WITH(weigh(pseudo, weight, basis),
                    ContainsText("'weight' of shape {4,5,2}: of type float, not float[4,2,2]"));
  CHECK_THROWS_WITH(weigh(input, input, basis), ContainsText("not [kernels, inputs, outputs]"));
  CHECK_THROWS_WITH(weigh(input, weight, pseudo), ContainsText("'index' of shape {3,4}: of type int, not int[3,2]"));
  CHECK_THROWS_WITH(weigh(index, weight, basis), ContainsText("not a matrix of float or half"));
}
