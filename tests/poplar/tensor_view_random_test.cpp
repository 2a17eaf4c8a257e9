// Every view operation against the index model, in random sequences.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "compiler/graph/tensor_view.h"
#include "tests/poplar/index_model.h"

namespace {

using tessera::graph::TensorView;
using tessera::graph::VariableRun;

constexpr std::size_t kMostElements = 4000;

struct Pair {
  TensorView view;
  index_model::Model model;
};

std::size_t pick(std::mt19937& random, std::size_t below) { return random() % below; }

std::vector<std::size_t> random_shape(std::mt19937& random) {
  std::vector<std::size_t> shape(pick(random, 4));
  for (std::size_t& s : shape) s = 1 + pick(random, 6);
  return shape;
}

// Another factorisation of n.
std::vector<std::size_t> factors(std::mt19937& random, std::size_t n) {
  std::vector<std::size_t> shape;
  while (n > 1 && shape.size() < 4) {
    std::vector<std::size_t> divisors;
    for (std::size_t d = 1; d <= n; ++d) {
      if (n % d == 0) divisors.push_back(d);
    }
    shape.push_back(divisors[pick(random, divisors.size())]);
    n /= shape.back();
  }
  shape.push_back(n);
  return shape;
}

Pair random_step(std::mt19937& random, const Pair& p) {
  const std::size_t rank = p.model.shape.size();
  const std::size_t n = p.model.elements.size();
  if (rank == 0) return {p.view.reshape(std::vector<std::size_t>{1}), {{1}, p.model.elements}};
  const unsigned dim = static_cast<unsigned>(pick(random, rank));
  const std::size_t size = p.model.shape[dim];
  switch (pick(random, 9)) {
    case 0: {
      if (size == 0) return p;
      const std::size_t begin = pick(random, size);
      const std::size_t end = begin + 1 + pick(random, size - begin);
      return {p.view.slice(dim, begin, end), index_model::slice(p.model, dim, begin, end)};
    }
    case 1: {
      std::vector<unsigned> permutation(rank);
      for (unsigned i = 0; i < rank; ++i) permutation[i] = i;
      std::shuffle(permutation.begin(), permutation.end(), random);
      return {p.view.dim_shuffle(permutation), index_model::dim_shuffle(p.model, permutation)};
    }
    case 2: {
      const std::vector<std::size_t> shape = factors(random, n);
      return {p.view.reshape(shape), {shape, p.model.elements}};
    }
    case 3: {
      const std::size_t times = 1 + pick(random, 3);
      if (n * times > kMostElements) return p;
      return {p.view.broadcast(dim, times), index_model::broadcast(p.model, dim, times)};
    }
    case 4: {
      const std::size_t scale = 1 + pick(random, 3);
      if (n * scale > kMostElements) return p;
      return {p.view.upsample(dim, scale), index_model::upsample(p.model, dim, scale)};
    }
    case 5: {
      const std::size_t stride = 1 + pick(random, 4);
      return {p.view.sub_sample(dim, stride), index_model::sub_sample(p.model, dim, stride)};
    }
    case 6:
      return {p.view.reverse(dim), index_model::reverse(p.model, dim)};
    case 7: {
      if (n * 2 > kMostElements) return p;
      const std::size_t begin = pick(random, size);
      const Pair part = {p.view.slice(dim, begin, size), index_model::slice(p.model, dim, begin, size)};
      const std::vector<const TensorView*> views = {&part.view, &p.view};
      return {TensorView::concat(views, dim), index_model::concat({part.model, p.model}, dim)};
    }
    default: {
      if (n * 2 > kMostElements) return p;
      std::vector<std::size_t> shape = p.model.shape;
      shape[dim] = 1 + pick(random, 3);
      const std::uint32_t variable = 1 + static_cast<std::uint32_t>(pick(random, 5));
      const Pair other = {TensorView::whole(variable, shape), index_model::whole(variable, shape)};
      const std::vector<const TensorView*> views = {&p.view, &other.view};
      return {TensorView::concat(views, dim), index_model::concat({p.model, other.model}, dim)};
    }
  }
}

std::vector<index_model::Element> elements_of(const TensorView& view) {
  std::vector<index_model::Element> out;
  view.for_each_run([&](const VariableRun& run) {
    for (std::size_t i = run.begin; i < run.end; ++i) out.push_back({run.variable, i});
  });
  return out;
}

void check(const Pair& p) {
  REQUIRE(std::vector<std::size_t>(p.view.shape().begin(), p.view.shape().end()) == p.model.shape);
  const std::vector<index_model::Element> shown = elements_of(p.view);
  REQUIRE(shown == p.model.elements);
  const std::set<index_model::Element> distinct(shown.begin(), shown.end());
  REQUIRE(p.view.contains_aliases() == (distinct.size() != shown.size()));
  std::vector<index_model::Element> covered;
  for (const VariableRun& run : p.view.covering_runs()) {
    for (std::size_t i = run.begin; i < run.end; ++i) covered.push_back({run.variable, i});
  }
  REQUIRE(covered == std::vector<index_model::Element>(distinct.begin(), distinct.end()));
  REQUIRE(p.view.is_contiguous() == (p.view.runs().size() <= 1));
}

}  // namespace

TEST_CASE("random sequences of view operations show the elements of the index model") {
  constexpr unsigned kSequences = 6000;
  constexpr unsigned kFirstSeed = 20261;
  for (unsigned seed = kFirstSeed; seed < kFirstSeed + kSequences; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const std::vector<std::size_t> shape = random_shape(random);
    Pair p = {TensorView::whole(0, shape), index_model::whole(0, shape)};
    check(p);
    for (std::size_t step = pick(random, 8); step > 0; --step) {
      p = random_step(random, p);
      if (p.model.elements.empty()) break;
      INFO("steps to go " << step);
      check(p);
    }
  }
}

TEST_CASE("rows that are windows sliding over one variable repeat its elements") {
  for (std::size_t width = 1; width < 5; ++width) {
    for (std::size_t step = 1; step < 5; ++step) {
      INFO("width " << width << ", step " << step);
      const std::vector<std::size_t> shape = {20};
      const Pair line = {TensorView::whole(0, shape), index_model::whole(0, shape)};
      const std::vector<std::size_t> row = {1, width};
      std::vector<TensorView> views;
      std::vector<index_model::Model> models;
      for (std::size_t begin = 0; begin + width <= 20; begin += step) {
        views.push_back(line.view.slice(0, begin, begin + width).reshape(row));
        models.push_back({row, index_model::slice(line.model, 0, begin, begin + width).elements});
      }
      std::vector<const TensorView*> pointers;
      for (const TensorView& v : views) pointers.push_back(&v);
      const Pair windows = {TensorView::concat(pointers, 0), index_model::concat(models, 0)};
      check(windows);
      CHECK(windows.view.boxes().size() == 1);
      check({windows.view.reverse(1), index_model::reverse(windows.model, 1)});
    }
  }
}
