// Which elements stand where in the view that each operation of a tensor gives: compared with positions worked out one
// by one.
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;

namespace {

using Shape = std::vector<std::size_t>;
using Place = std::vector<std::size_t>;  // an index for each dimension

std::size_t position(const Shape& shape, const Place& place) {
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + place[d];
  return at;
}

Place place_of(const Shape& shape, std::size_t at) {
  Place place(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; at /= shape[d]) place[d] = at % shape[d];
  return place;
}

struct Elements : GraphFixture {
  const Shape from{2, 3, 4};
  const Tensor t = graph.addVariable(FLOAT, {2, 3, 4}, "t");

  // Elements of the variable in flattened order of the view.
  static std::vector<std::size_t> seen(const Tensor& view) {
    std::vector<std::size_t> out;
    for (const VariableInterval& run : view.getVarRegions())
      for (std::size_t i = run.interval.begin(); i < run.interval.end(); ++i) out.push_back(i);
    return out;
  }
  // That the view has the shape, and shows at each place what t has at `source` of the place.
  void check(const Tensor& view, const Shape& shape, const std::function<Place(const Place&)>& source) const {
    REQUIRE(view.shape() == shape);
    const std::vector<std::size_t> shown = seen(view);
    REQUIRE(shown.size() == view.numElements());
    for (std::size_t i = 0; i < shown.size(); ++i) {
      CAPTURE(i);
      CHECK(shown[i] == position(from, source(place_of(shape, i))));
    }
  }
  // The same where the order of elements stays.
  void check_same_order(const Tensor& view, const Shape& shape) const {
    CHECK(view.shape() == shape);
    CHECK(seen(view) == seen(t));
  }
};

}  // namespace

TEST_CASE_METHOD(Elements, "parts of a tensor are its elements from the begin to the end") {
  check(t[1], {3, 4}, [](const Place& p) { return Place{1, p[0], p[1]}; });
  check(t[1][2], {4}, [](const Place& p) { return Place{1, 2, p[0]}; });
  check(t.index({1, 0, 3}), {}, [](const Place&) { return Place{1, 0, 3}; });
  check(t.slice(1, 3, 1), {2, 2, 4}, [](const Place& p) { return Place{p[0], p[1] + 1, p[2]}; });
  check(t.slice(Interval(2, 4), 2), {2, 3, 2}, [](const Place& p) { return Place{p[0], p[1], p[2] + 2}; });
  check(t.slice(1, 2), {1, 3, 4}, [](const Place& p) { return Place{p[0] + 1, p[1], p[2]}; });
  check(t.slice({1, 1, 1}, {2, 3, 4}), {1, 2, 3}, [](const Place& p) { return Place{p[0] + 1, p[1] + 1, p[2] + 1}; });
  check(t.slice({0, 2}, {2, 3}), {2, 1, 4}, [](const Place& p) { return Place{p[0], p[1] + 2, p[2]}; });
  check(t.subSample(2, 2), {2, 3, 2}, [](const Place& p) { return Place{p[0], p[1], 2 * p[2]}; });
  check(t.subSample(2, 1), {2, 2, 4}, [](const Place& p) { return Place{p[0], 2 * p[1], p[2]}; });
}

TEST_CASE_METHOD(Elements, "slices gives a tensor for each interval, list of intervals or index") {
  const std::vector<Tensor> intervals = t.slices({Interval(0, 1), Interval(1, 3)}, 1);
  REQUIRE(intervals.size() == 2);
  CHECK(intervals[0] == t.slice(0, 1, 1));
  CHECK(intervals[1] == t.slice(1, 3, 1));
  const std::vector<Tensor> lists = t.slices(std::vector<std::vector<Interval>>{{{2, 3}, {0, 1}}, {{1, 2}}}, 1);
  REQUIRE(lists.size() == 2);
  CHECK(lists[0] == concat(t.slice(2, 3, 1), t.slice(0, 1, 1), 1));
  CHECK(lists[1] == t.slice(1, 2, 1));
  const std::vector<Tensor> indices = t.slices(ArrayRef<unsigned>({2, 0}), 1);
  REQUIRE(indices.size() == 2);
  CHECK(seen(indices[0]) == seen(t.slice(2, 3, 1)));
  CHECK(seen(indices[1]) == seen(t.slice(0, 1, 1)));
}

TEST_CASE_METHOD(Elements, "another shape has the same elements in the same order") {
  check_same_order(t.flatten(), {24});
  check_same_order(t.flatten(0, 2), {6, 4});
  check_same_order(t.reshape({4, 6}), {4, 6});
  check_same_order(t.reshapePartial(1, 3, {6, 2}), {2, 6, 2});
  check_same_order(t.expand({0, 1, 3}), {1, 2, 1, 3, 4, 1});
  check_same_order(t.expand({1}).squeeze({1}), {2, 3, 4});
  check_same_order(t.reinterpret(INT), {2, 3, 4});
}

TEST_CASE_METHOD(Elements, "dimensions in another order keep each element's indices") {
  check(t.dimShuffle({2, 0, 1}), {4, 2, 3}, [](const Place& p) { return Place{p[1], p[2], p[0]}; });
  check(t.dimShufflePartial({0, 2}, {2, 1}), {3, 4, 2}, [](const Place& p) { return Place{p[2], p[0], p[1]}; });
  check(t.dimRoll(2), {4, 2, 3}, [](const Place& p) { return Place{p[1], p[2], p[0]}; });
  check(t.dimRoll(0, 1), {3, 2, 4}, [](const Place& p) { return Place{p[1], p[0], p[2]}; });
  check(t[1].transpose(), {4, 3}, [](const Place& p) { return Place{1, p[1], p[0]}; });
  check(t.reverse(1), {2, 3, 4}, [](const Place& p) { return Place{p[0], 2 - p[1], p[2]}; });
}

TEST_CASE_METHOD(Elements, "broadcast repeats a dimension as a whole, upsample each of its entries") {
  check(t.broadcast(2, 1), {2, 6, 4}, [](const Place& p) { return Place{p[0], p[1] % 3, p[2]}; });
  check(t.broadcast(3, 0), {6, 3, 4}, [](const Place& p) { return Place{p[0] % 2, p[1], p[2]}; });
  check(t.upsample(3, 2, UpsampleMethod::REPEAT), {2, 3, 12},
        [](const Place& p) { return Place{p[0], p[1], p[2] / 3}; });
  check(t.upsample(2, 0), {4, 3, 4}, [](const Place& p) { return Place{p[0] / 2, p[1], p[2]}; });
}

TEST_CASE_METHOD(Elements, "concat joins along a dimension, append adds one entry of it") {
  check(concat(t.slice(1, 3, 1), t.slice(0, 1, 1), 1), {2, 3, 4},
        [](const Place& p) { return Place{p[0], (p[1] + 1) % 3, p[2]}; });
  check(concat({t[1], t[0], t[1]}), {9, 4}, [](const Place& p) { return Place{(p[0] / 3 + 1) % 2, p[0] % 3, p[1]}; });
  check(append(t.slice(0, 1), t[0]), {2, 3, 4}, [](const Place& p) { return Place{0, p[1], p[2]}; });
  check(append(t[1].slice(0, 2), t[0][2], 0), {3, 4},
        [](const Place& p) { return p[0] < 2 ? Place{1, p[0], p[1]} : Place{0, 2, p[1]}; });
  check(append(t.slice(0, 3, 2), t.slice(3, 4, 2).squeeze({2}), 2), {2, 3, 4}, [](const Place& p) { return p; });
}
