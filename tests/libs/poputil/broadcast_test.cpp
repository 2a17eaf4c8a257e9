// Shapes made to match: every pair of small shapes against the rule written down once more.
#include <catch2/catch.hpp>
#include <poplar/Graph.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/exceptions.hpp>

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

struct Shapes {
  Graph graph{Target::createIPUTarget(1, 4, "ipu2")};

  Tensor tensor(const Shape& shape) { return graph.addVariable(FLOAT, shape, "t"); }
};

// All shapes of rank 0 to 3 with dimensions 0, 1, 2 and 3.
std::vector<Shape> all_shapes() {
  std::vector<Shape> out = {{}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].size() == 3) continue;
    for (std::size_t d = 0; d < 4; ++d) {
      out.push_back(out[i]);
      out.back().push_back(d);
    }
  }
  return out;
}

std::size_t dim(const Shape& shape, std::size_t from_the_end) {
  return from_the_end < shape.size() ? shape[shape.size() - 1 - from_the_end] : 1;
}

// The common shape, or none.
bool common(const Shape& a, const Shape& b, Shape& out) {
  out.assign(std::max(a.size(), b.size()), 0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t x = dim(a, i);
    const std::size_t y = dim(b, i);
    if (x != y && x != 1 && y != 1) return false;
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return true;
}

// The element of the variable that stands at a place of the common shape.
std::size_t source(const Shape& shape, const Shape& all, std::size_t place) {
  std::size_t at = 0;
  std::size_t stride = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t coordinate = place % dim(all, i);
    place /= dim(all, i);
    if (dim(shape, i) == 1) continue;
    at += coordinate * stride;
    stride *= dim(shape, i);
  }
  return at;
}

std::vector<std::size_t> elements(const Tensor& t) {
  std::vector<std::size_t> out;
  for (const VariableInterval& v : t.getVarRegions()) {
    for (std::size_t i = v.interval.begin(); i < v.interval.end(); ++i) out.push_back(i);
  }
  return out;
}

void check_view(const Tensor& t, const Shape& shape, const Shape& all) {
  CHECK(t.shape() == all);
  const std::vector<std::size_t> seen = elements(t);
  REQUIRE(seen.size() == t.numElements());
  for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == source(shape, all, i));
}

}  // namespace

TEST_CASE_METHOD(Shapes, "two tensors match as NumPy's do") {
  unsigned matching = 0;
  for (const Shape& x : all_shapes()) {
    for (const Shape& y : all_shapes()) {
      CAPTURE(x, y);
      Tensor a = tensor(x);
      Tensor b = tensor(y);
      Shape all;
      if (!common(x, y, all)) {
        CHECK(!poputil::canBroadcastToMatch(a, b));
        CHECK_THROWS_AS(poputil::broadcastToMatch(a, b), poputil::poplibs_error);
        CHECK(a.shape() == x);
        CHECK(b.shape() == y);
        continue;
      }
      ++matching;
      CHECK(poputil::canBroadcastToMatch(a, b));
      poputil::broadcastToMatch(a, b);
      check_view(a, x, all);
      check_view(b, y, all);
    }
  }
  CHECK(matching > 500);
}

TEST_CASE_METHOD(Shapes, "a tensor matches a shape, or the message names both") {
  Tensor a = graph.addVariable(FLOAT, {3, 1}, "weights");
  CHECK_THROWS_WITH(poputil::broadcastToMatch(a, Shape{4, 2}), Catch::Matchers::ContainsText("'weights'") &&
                                                                   Catch::Matchers::ContainsText("{3,1}") &&
                                                                   Catch::Matchers::ContainsText("{4,2}"));
  CHECK_THROWS_WITH(poputil::broadcastToMatch(a, Shape{3}), Catch::Matchers::ContainsText("more dimensions"));
  poputil::broadcastToMatch(a, Shape{2, 3, 4});
  check_view(a, {3, 1}, {2, 3, 4});
}

TEST_CASE_METHOD(Shapes, "three tensors match") {
  Tensor a = tensor({2, 1, 1});
  Tensor b = tensor({3, 1});
  Tensor c = tensor({4});
  poputil::broadcastToMatch(a, b, c);
  check_view(a, {2, 1, 1}, {2, 3, 4});
  check_view(b, {3, 1}, {2, 3, 4});
  check_view(c, {4}, {2, 3, 4});
}

TEST_CASE_METHOD(Shapes, "ranks match") {
  Tensor a = tensor({2, 3});
  Tensor b = tensor({4});
  poputil::expandToMatchRanks(a, b);
  CHECK(a.shape() == Shape{2, 3});
  CHECK(b.shape() == Shape{1, 4});
  poputil::expandToMatchRanks(b, a);
  CHECK(b.shape() == Shape{1, 4});
}
