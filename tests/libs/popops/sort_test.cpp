// Sorts and selections against the standard library's.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <popops/Sort.hpp>
#include <popops/TopK.hpp>
#include <sstream>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;
using popops::SortOrder;
using popops::TopKParams;
using Shape = std::vector<std::size_t>;

namespace {

const std::vector<Type> kTypes = {FLOAT, HALF, INT, UNSIGNED_INT, SHORT, UNSIGNED_CHAR};

class Sorting : public OnModel {
 public:
  // Few different values, so that some are equal.
  Values values(Type type, std::size_t n) {
    Values out(n);
    for (double& v : out) v = rounded(type, static_cast<double>(random() % 50) - (type == UNSIGNED_INT ? 0 : 20));
    if (type == UNSIGNED_CHAR)
      for (double& v : out) v = std::fabs(v);
    return out;
  }
};

// f(numbers of the elements along the dimension, in order) for all the others.
template <class F>
void for_each_row(const Shape& shape, std::size_t dim, F f) {
  std::size_t inner = 1, outer = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) (d < dim ? outer : d > dim ? inner : outer) *= d == dim ? 1 : shape[d];
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      std::vector<std::size_t> row(shape[dim]);
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = (o * shape[dim] + k) * inner + i;
      f(row);
    }
  }
}

// The places of a row's elements in order, equal ones as they stand.
std::vector<std::size_t> order_of(const Values& values, const std::vector<std::size_t>& row, bool descending) {
  std::vector<std::size_t> places(row.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    const double x = values[row[a]], y = values[row[b]];
    return descending ? x > y : x < y;
  });
  return places;
}

}  // namespace

TEST_CASE("Sorts put every row in order and keep equal keys as they stood") {
  Sorting on;
  Sequence prog;
  std::map<std::string, Values> expected;
  int number = 0;
  for (const Type type : kTypes) {
    for (const Shape& shape : {Shape{300}, Shape{5, 70}, Shape{40, 3}, Shape{2, 17, 2}, Shape{1}}) {
      const std::size_t dim = on.random() % shape.size();
      std::size_t n = 1;
      for (const std::size_t d : shape) n *= d;
      const Values keys = on.values(type, n), values = on.values(HALF, n);
      Values sorted(n), moved(n);
      for_each_row(shape, dim, [&](const std::vector<std::size_t>& row) {
        const auto places = order_of(keys, row, false);
        for (std::size_t i = 0; i < row.size(); ++i) {
          sorted[row[i]] = keys[row[places[i]]];
          moved[row[i]] = values[row[places[i]]];
        }
      });
      const std::string name = std::to_string(number++);
      const Tensor k = on.tensor(type, shape, keys, "k"), v = on.tensor(HALF, shape, values, "v");
      const unsigned d = static_cast<unsigned>(dim);
      on.read(popops::sort(on.graph, k, d, prog, "sort"), name + " sort");
      expected[name + " sort"] = sorted;
      on.read(popops::sortKeyValue(on.graph, k, v, d, prog, "sort"), name + " values");
      expected[name + " values"] = moved;
      if (number % 2 == 0) {
        popops::sortKeyValueInPlace(on.graph, k, v, d, prog, "sort");
        on.read(v, name + " v");
        expected[name + " v"] = moved;
      } else {
        popops::sortInPlace(on.graph, k, d, prog, "sort");
      }
      on.read(k, name + " k");
      expected[name + " k"] = sorted;
    }
  }
  const auto got = on.run(prog);
  for (const auto& e : expected) {
    INFO(e.first);
    CHECK(got.at(e.first) == e.second);
  }
}

TEST_CASE("NaNs are last, infinities and zeros where they belong") {
  OnModel on;
  Sequence prog;
  const double inf = INFINITY;
  const Values values = {1, NAN, -0.0, inf, 0.0, -1, -inf, 2};
  const Values up = {-inf, -1, -0.0, 0.0, 1, 2, inf, NAN}, down = {inf, 2, 1, 0.0, -0.0, -1, -inf, NAN};
  // Each so often, and a second row without NaNs and infinities.
  const std::vector<std::size_t> often = {1, 5, 47};
  for (const Type type : {FLOAT, HALF}) {
    for (const std::size_t times : often) {
      Values rows;
      for (std::size_t i = 0; i < 8 * times; ++i) rows.push_back(values[i % 8]);
      for (std::size_t i = 0; i < 8 * times; ++i) rows.push_back(static_cast<double>(i * 5 % 8));
      const Tensor t = on.tensor(type, {2, 8 * times}, rows, "t");
      const std::string name = type.toString().cloneAsString() + " " + std::to_string(times);
      on.read(popops::sort(on.graph, t, 1, prog), name + " up");
      const TopKParams all(static_cast<unsigned>(8 * times), true, SortOrder::DESCENDING);
      on.read(popops::topK(on.graph, prog, t, all), name + " down");
    }
  }
  const auto bits = [](double x) { return std::isnan(x) ? "NaN" : std::to_string(x); };
  const auto results = on.run(prog);
  for (const Type type : {FLOAT, HALF}) {
    for (const std::size_t times : often) {
      for (const bool ascending : {true, false}) {
        const std::string name = type.toString().cloneAsString() + " " + std::to_string(times);
        INFO(name << (ascending ? " up" : " down"));
        const Values& got = results.at(name + (ascending ? " up" : " down"));
        std::vector<std::string> found, expected;
        for (const double x : got) found.push_back(bits(x));
        for (std::size_t i = 0; i < 8 * times; ++i) expected.push_back(bits((ascending ? up : down)[i / times]));
        for (std::size_t i = 0; i < 8 * times; ++i)
          expected.push_back(bits(static_cast<double>(ascending ? i / times : 7 - i / times)));
        CHECK(found == expected);
      }
    }
  }
}

TEST_CASE("Keys alone, of all lengths, are sorted by a network") {
  Sorting on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (const Type type : {FLOAT, HALF, INT, UNSIGNED_INT}) {
    for (const Shape& shape : {Shape{1, 9}, Shape{3, 15}, Shape{2, 16}, Shape{1, 17}, Shape{7, 33}, Shape{1, 64},
                               Shape{2, 129}, Shape{1, 700}, Shape{200, 10}}) {
      const Values keys = on.values(type, shape[0] * shape[1]);
      Values sorted = keys;
      for (std::size_t row = 0; row < shape[0]; ++row)
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(row * shape[1]),
                  sorted.begin() + static_cast<std::ptrdiff_t>((row + 1) * shape[1]));
      const std::string name = type.toString().cloneAsString() + " " + std::to_string(expected.size());
      on.read(popops::sort(on.graph, on.tensor(type, shape, keys, "t"), 1, prog), name);
      expected[name] = sorted;
    }
  }
  const auto got = on.run(prog);
  for (const auto& e : expected) {
    INFO(e.first);
    CHECK(got.at(e.first) == e.second);
  }
}

TEST_CASE("The first k of each row, their values and their places") {
  Sorting on;
  Sequence prog;
  std::map<std::string, Values> expected;
  int number = 0;
  for (const std::size_t n : {1u, 9u, 100u, 500u}) {
    for (const std::size_t k : {std::size_t{1}, n / 10 + 1, n}) {
      for (const bool largest : {false, true}) {
        for (const SortOrder order : {SortOrder::NONE, SortOrder::ASCENDING, SortOrder::DESCENDING}) {
          const Type type = kTypes[static_cast<std::size_t>(number) % kTypes.size()];
          const bool stable = number % 2 == 0;
          const Shape shape = {static_cast<std::size_t>(1 + number % 3), n};
          const Values keys = on.values(type, shape[0] * n), values = on.values(FLOAT, shape[0] * n);
          const TopKParams params(static_cast<unsigned>(k), largest, order, stable);
          const std::string name = std::to_string(number++);
          Tensor t;
          if (number % 3 == 0) {
            t = popops::createTopKInput(on.graph, type, shape, params, "t");
            on.write(t, keys);
          } else {
            t = on.tensor(type, shape, keys, "t");
          }
          const Tensor v = on.tensor(FLOAT, shape, values, "v");
          const auto by_place = popops::topKWithPermutation(on.graph, prog, t, params, "top");
          const auto by_value = popops::topKKeyValue(on.graph, prog, t, v, params, "top");
          CHECK(by_place.first.shape() == Shape{shape[0], k});
          CHECK(by_place.second.elementType() == UNSIGNED_INT);
          Values top, places_found, values_found;
          for_each_row(shape, 1, [&](const std::vector<std::size_t>& row) {
            auto places = order_of(keys, row, largest);
            places.resize(k);
            if (order != SortOrder::NONE && (order == SortOrder::DESCENDING) != largest) {
              std::reverse(places.begin(), places.end());
              if (stable)
                std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
                  const double x = keys[row[a]], y = keys[row[b]];
                  return x != y ? (largest ? x < y : x > y) : a < b;
                });
            }
            for (const std::size_t place : places) {
              top.push_back(keys[row[place]]);
              places_found.push_back(static_cast<double>(place));
              values_found.push_back(values[row[place]]);
            }
          });
          on.read(popops::topK(on.graph, prog, t, params, "top"), name + " top");
          on.read(by_place.first, name + " keys");
          on.read(by_place.second, name + " places");
          on.read(by_value.second, name + " values");
          expected[name + " top"] = expected[name + " keys"] = top;
          expected[name + " places"] = places_found;
          expected[name + " values"] = values_found;
        }
      }
    }
  }
  const auto got = on.run(prog);
  for (const auto& e : expected) {
    INFO(e.first);
    CHECK(got.at(e.first) == e.second);
  }
}

TEST_CASE("What cannot be sorted is said") {
  OnModel on;
  Graph& graph = on.graph;
  Sequence prog;
  const Tensor t = on.tensor(FLOAT, {2, 5}, Values(10), "t"), v = on.tensor(FLOAT, {5, 2}, Values(10), "v");
  const Tensor wide = graph.addVariable(LONGLONG, {4}, "wide"), empty = graph.addVariable(FLOAT, {0}, "empty");
  graph.setTileMapping(wide, 0);
  CHECK_THROWS_WITH(popops::sort(graph, t, 2, prog), ContainsText("dimension 2 of 't'"));
  CHECK_THROWS_WITH(popops::sortKeyValue(graph, t, v, 0, prog), ContainsText("values 'v' of shape {5,2}"));
  CHECK_THROWS_WITH(popops::sort(graph, wide, 0, prog), ContainsText("'wide' of type long long"));
  CHECK_THROWS_WITH(popops::topK(graph, prog, t, TopKParams(6, true, SortOrder::NONE)),
                    ContainsText("6 of the 5 elements of 't'"));
  CHECK_THROWS_WITH(popops::topK(graph, prog, t, TopKParams(0, true, SortOrder::NONE)), ContainsText("0 elements"));
  CHECK_THROWS_WITH(popops::createTopKInput(graph, FLOAT, {3}, TopKParams(4, true, SortOrder::NONE)),
                    ContainsText("4 of 3 elements"));
  CHECK(popops::sort(graph, empty, 0, prog).shape() == Shape{0});
  std::ostringstream text;
  text << TopKParams(3, true, SortOrder::ASCENDING);
  CHECK(text.str() == "{k=3, largest=true, sortOrder=ASCENDING, stableSort=false}");
}
