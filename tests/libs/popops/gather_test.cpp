// Gathers against loops by hand.
#include <functional>
#include <numeric>
#include <popops/Gather.hpp>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;
using Shape = std::vector<std::size_t>;

namespace {

std::size_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
}

Shape coordinates(const Shape& shape, std::size_t index) {
  Shape out(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) out[d] = index % shape[d];
  return out;
}

std::size_t index_of(const Shape& shape, const Shape& at) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + at[d];
  return index;
}

// A gather of XLA at random, and its result by the definition.
struct Random {
  Shape input, slice, indices, offset_dims, collapsed, batch, result;
  std::size_t vector_dim = 0;
  std::vector<unsigned> map;
  std::vector<int> index_values;
  bool remap = false;

  explicit Random(std::mt19937& random) {
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::size_t rank = 1 + below(4);
    for (std::size_t d = 0; d < rank; ++d) {
      input.push_back(1 + below(6));
      slice.push_back(below(2) == 0 ? 1 : 1 + below(input[d]));
      if (below(3) != 0) map.insert(map.begin() + static_cast<std::ptrdiff_t>(below(map.size() + 1)), d);
      if (slice[d] == 1 && below(2) == 0) collapsed.push_back(d);
    }
    for (std::size_t n = below(3); n != 0; --n) batch.push_back(1 + below(4));
    remap = below(2) == 0;
    indices = batch;
    vector_dim = below(batch.size() + 1);
    indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(vector_dim), map.size());
    if (map.size() == 1 && below(2) == 0) {
      indices = batch;
      vector_dim = batch.size();
    }
    for (std::size_t n = elements(indices); n != 0; --n) index_values.push_back(static_cast<int>(below(8)) - 1);
    const std::size_t offsets = rank - collapsed.size(), out_rank = offsets + batch.size();
    for (std::size_t d = 0; d < out_rank; ++d) {
      const std::size_t left = out_rank - d, wanted = offsets - offset_dims.size();
      if (below(left) < wanted) offset_dims.push_back(d);
    }
    std::size_t next_batch = 0, next_slice = 0;
    for (std::size_t d = 0; d < out_rank; ++d) {
      if (is_offset(d)) {
        while (is_collapsed(next_slice)) ++next_slice;
        result.push_back(slice[next_slice++]);
      } else {
        result.push_back(batch[next_batch++]);
      }
    }
  }
  bool is_offset(std::size_t d) const {
    return std::find(offset_dims.begin(), offset_dims.end(), d) != offset_dims.end();
  }
  bool is_collapsed(std::size_t d) const { return std::find(collapsed.begin(), collapsed.end(), d) != collapsed.end(); }
  Values expected(const Values& values) const {
    Values out;
    for (std::size_t i = 0; i < elements(result); ++i) {
      const Shape at = coordinates(result, i);
      Shape of_batch, in(input.size());
      std::size_t next = 0;
      for (std::size_t d = 0; d < at.size(); ++d) {
        if (!is_offset(d)) {
          of_batch.push_back(at[d]);
          continue;
        }
        while (is_collapsed(next)) ++next;
        in[next++] = at[d];
      }
      for (std::size_t k = 0; k < map.size(); ++k) {
        Shape vector = of_batch;
        if (vector_dim < indices.size()) vector.insert(vector.begin() + static_cast<std::ptrdiff_t>(vector_dim), k);
        int index = index_values[index_of(indices, vector)];
        const int last = static_cast<int>(input[map[k]] - slice[map[k]]);
        if (remap && (index < 0 || index > last)) index = 0;
        in[map[k]] += static_cast<std::size_t>(std::clamp(index, 0, last));
      }
      out.push_back(values[index_of(input, in)]);
    }
    return out;
  }
};

}  // namespace

TEST_CASE("A gather of index vectors is XLA's") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (int i = 0; i < 40; ++i) {
    const Random r(on.random);
    const Type type = i % 3 == 0 ? HALF : i % 3 == 1 ? FLOAT : UNSIGNED_CHAR;
    Values values(elements(r.input));
    std::iota(values.begin(), values.end(), 0);
    for (double& v : values) v = rounded(type, v < 200 ? v : v - 200);
    Tensor input;
    if (i % 2 == 0) {
      input = popops::createGatherInput(on.graph, type, r.input, r.slice, r.map, "input");
      on.write(input, values);
    } else {
      input = on.tensor(type, r.input, values, "input");
    }
    const Tensor indices = on.tensor(INT, r.indices, Values(r.index_values.begin(), r.index_values.end()), "indices");
    const OptionFlags options = {{"remapOutOfBoundIndices", r.remap ? "true" : "false"}};
    const Tensor out = popops::gather(on.graph, input, indices, r.vector_dim, r.offset_dims, r.slice, r.collapsed,
                                      r.map, prog, "gather", options);
    REQUIRE(out.shape() == r.result);
    const std::string name = std::to_string(i);
    on.read(out, name);
    expected[name] = r.expected(values);
  }
  CHECK(on.run(prog) == expected);
}

TEST_CASE("A gather along an axis has the indices in its place") {
  OnModel on;
  Sequence prog;
  Values values(60);
  std::iota(values.begin(), values.end(), 0);
  const Tensor input = popops::createGatherInput(on.graph, FLOAT, {3, 10, 2}, 1, popops::GatherParams(3), "input");
  on.write(input, values);
  for (const std::vector<Interval>& regions : on.graph.getTileMapping(input)) {
    std::size_t here = 0;
    for (const Interval& region : regions) here += region.size();
    CHECK(here <= 3 * 6);
  }
  const std::vector<std::size_t> indices = {9, 0, 3, 10};
  const Tensor at = on.tensor(UNSIGNED_INT, {2, 2}, Values(indices.begin(), indices.end()), "indices");
  const Tensor out = popops::gather(on.graph, input, at, 1, prog, {}, "gather");
  CHECK(out.shape() == Shape{3, 4, 2});
  Values expected;
  for (std::size_t a = 0; a < 3; ++a)
    for (const std::size_t i : indices)
      for (std::size_t c = 0; c < 2; ++c) expected.push_back(i < 10 ? values[index_of({3, 10, 2}, {a, i, c})] : 0);
  on.read(out, "out");
  CHECK(on.run(prog).at("out") == expected);
}

TEST_CASE("What a gather cannot do is said") {
  OnModel on;
  Sequence prog;
  const Tensor input = on.tensor(FLOAT, {3, 4}, Values(12), "input");
  const Tensor indices = on.tensor(INT, {5, 2}, Values(10), "indices");
  const auto gather = [&](std::size_t vector_dim, const Shape& offsets, const Shape& sizes, const Shape& collapsed,
                          const OptionFlags& options = {}) {
    popops::gather(on.graph, input, indices, vector_dim, offsets, sizes, collapsed, {0, 1}, prog, {}, options);
  };
  CHECK_THROWS_WITH(gather(3, {1}, {1, 4}, {0}), ContainsText("'indices' of shape {5,2}: it has no dimension 3"));
  CHECK_THROWS_WITH(gather(0, {1}, {1, 4}, {0}), ContainsText("not of 2 elements"));
  CHECK_THROWS_WITH(gather(1, {1}, {1}, {0}), ContainsText("1 slice sizes"));
  CHECK_THROWS_WITH(gather(1, {1}, {1, 5}, {0}), ContainsText("a slice of 5 of dimension 1 of 'input'"));
  CHECK_THROWS_WITH(gather(1, {1}, {1, 4}, {1}), ContainsText("dimension 1 of its slices is not of size 1"));
  CHECK_THROWS_WITH(gather(1, {1}, {1, 4}, {}), ContainsText("offsetDims and collapsedSliceDims"));
  CHECK_THROWS_WITH(gather(1, {1}, {1, 4}, {0}, {{"paddingIndexUsed", "true"}}), ContainsText("no padding index"));
  CHECK_THROWS_WITH(popops::gather(on.graph, input, indices, 2, prog, {}), ContainsText("dimension 2 of 'input'"));
  CHECK_THROWS_WITH(popops::createGatherInput(on.graph, FLOAT, {3}, 0, popops::GatherParams(0)),
                    ContainsText("at most 0"));
}
