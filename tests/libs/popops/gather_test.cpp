// Gathers and scatters against loops by hand.
#include <functional>
#include <numeric>
#include <popops/ElementWise.hpp>
#include <popops/Gather.hpp>
#include <popops/Scatter.hpp>

#include "tests/libs/popops/on_model.h"
#include "tests/libs/popops/shapes.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;

namespace {

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
    for (std::size_t n = elements_of(indices); n != 0; --n) index_values.push_back(static_cast<int>(below(8)) - 1);
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
  // f(element of the result, element of the input that it is a slice's at the index, whether the slice fits there)
  template <class F>
  void for_each(F f) const {
    for (std::size_t i = 0; i < elements_of(result); ++i) {
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
      bool fits = true;
      for (std::size_t k = 0; k < map.size(); ++k) {
        Shape vector = of_batch;
        if (vector_dim < indices.size()) vector.insert(vector.begin() + static_cast<std::ptrdiff_t>(vector_dim), k);
        int index = index_values[index_of(indices, vector)];
        const int last = static_cast<int>(input[map[k]] - slice[map[k]]);
        if (remap && (index < 0 || index > last)) index = 0;
        fits &= index >= 0 && index <= last;
        in[map[k]] += static_cast<std::size_t>(std::clamp(index, 0, last));
      }
      f(i, index_of(input, in), fits);
    }
  }
  Values expected(const Values& values) const {
    Values out;
    for_each([&](std::size_t, std::size_t from, bool) { out.push_back(values[from]); });
    return out;
  }
};

}  // namespace

TEST_CASE("A gather of index vectors is XLA's") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (int i = 0; i < rounds(40); ++i) {
    const Random r(on.random);
    const Type type = i % 3 == 0 ? HALF : i % 3 == 1 ? FLOAT : UNSIGNED_CHAR;
    Values values(elements_of(r.input));
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

TEST_CASE("A scatter is a gather turned round") {
  OnModel on;
  Sequence prog;
  std::map<std::string, Values> expected;
  for (int i = 0; i < rounds(40); ++i) {
    const Random r(on.random);
    const Type type = i % 3 == 0 ? HALF : i % 3 == 1 ? FLOAT : INT;
    Values values(elements_of(r.input)), updates(elements_of(r.result));
    for (double& v : values) v = static_cast<double>(on.random() % 50);
    for (double& v : updates) v = static_cast<double>(on.random() % 50);
    const Tensor operand = on.tensor(type, r.input, values, "operand"), u = on.tensor(type, r.result, updates, "u");
    const Tensor indices = on.tensor(INT, r.indices, Values(r.index_values.begin(), r.index_values.end()), "indices");
    const OptionFlags options = {{"remapOutOfBoundIndices", r.remap ? "true" : "false"}};
    const std::vector<unsigned> windows(r.offset_dims.begin(), r.offset_dims.end());
    const bool adds = i % 4 == 3;
    if (adds) {
      popops::UpdateComputationFunc add = [](Graph& graph, Tensor& a, Tensor& b, Sequence& body) {
        return popops::add(graph, a, b, body, "add");
      };
      popops::scatter(on.graph, operand, indices, u, r.vector_dim, windows, r.collapsed, r.map, add, prog, "scatter",
                      options);
    } else {
      popops::scatter(on.graph, operand, indices, u, r.vector_dim, windows, r.collapsed, r.map, prog, "scatter",
                      options);
    }
    // Slices in the order of their index vectors.
    std::vector<std::pair<std::size_t, std::pair<std::size_t, std::size_t>>> writes;
    r.for_each([&](std::size_t from, std::size_t to, bool fits) {
      if (!fits) return;
      const Shape at = coordinates(r.result, from);
      Shape of_batch;
      for (std::size_t d = 0; d < at.size(); ++d)
        if (!r.is_offset(d)) of_batch.push_back(at[d]);
      writes.push_back({index_of(r.batch, of_batch), {from, to}});
    });
    std::stable_sort(writes.begin(), writes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& write : writes) {
      double& to = values[write.second.second];
      to = adds ? to + updates[write.second.first] : updates[write.second.first];
    }
    const std::string name = std::to_string(i);
    on.read(operand, name);
    expected[name] = values;
  }
  const auto got = on.run(prog);
  for (const auto& e : expected) {
    INFO(e.first);
    CHECK(got.at(e.first) == e.second);
  }
}

TEST_CASE("What a scatter cannot do is said") {
  OnModel on;
  Sequence prog;
  const Tensor operand = on.tensor(FLOAT, {3, 4}, Values(12), "operand");
  const Tensor indices = on.tensor(INT, {5, 1}, Values(5), "indices");
  const Tensor updates = on.tensor(FLOAT, {5, 4}, Values(20), "updates"),
               ints = on.tensor(INT, {5, 4}, Values(20), "i");
  const auto scatter = [&](const Tensor& u, std::vector<unsigned> windows, const Shape& inserted,
                           const OptionFlags& options = {}) {
    popops::scatter(on.graph, operand, indices, u, 1, windows, inserted, {0}, prog, {}, options);
  };
  CHECK_THROWS_WITH(scatter(ints, {1}, {0}), ContainsText("'i' of shape {5,4}: of type int for 'operand'"));
  CHECK_THROWS_WITH(scatter(updates, {1}, {}), ContainsText("1 dimensions of windows and 0 inserted ones"));
  CHECK_THROWS_WITH(scatter(updates, {2}, {0}), ContainsText("dimension 2 of 'updates'"));
  CHECK_THROWS_WITH(scatter(updates, {1}, {2}), ContainsText("dimension 2 of 'operand'"));
  CHECK_THROWS_WITH(scatter(updates.slice(0, 4), {1}, {0}), ContainsText("index vectors of 'indices'"));
  CHECK_THROWS_WITH(scatter(updates, {1}, {0}, {{"paddingIndexUsed", "true"}}), ContainsText("no padding index"));
  popops::UpdateComputationFunc shrink = [](Graph&, Tensor& a, Tensor&, Sequence&) { return a.flatten().slice(0, 1); };
  CHECK_THROWS_WITH(popops::scatter(on.graph, operand, indices, updates, 1, {1}, {0}, {0}, shrink, prog),
                    ContainsText("not what the computation of updates was given"));
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
