// Gathers and scatters: along an axis, and those of XLA by vectors of indices.
#include <algorithm>
#include <popops/ElementWise.hpp>
#include <popops/Gather.hpp>
#include <popops/Scatter.hpp>

#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

Type some_type(Draft& draft) {
  return draft.full() ? draft.choices.pick({FLOAT, HALF, INT, UNSIGNED_CHAR, SHORT, BOOL, UNSIGNED_INT})
                      : draft.choices.pick({FLOAT, HALF, UNSIGNED_CHAR});
}

bool contains(const Shape& list, std::size_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

Operator along_axis() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = some_type(draft);
    Shape shape = draft.shape(1, 4);
    const std::size_t axis = draft.choices.below(shape.size());
    if (shape[axis] == 0) shape[axis] = 1;
    draft.set("axis", static_cast<unsigned>(axis));
    draft.tensor(type, shape, any_values(type));
    const Type of_indices = draft.choices.pick({UNSIGNED_INT, INT});
    const Shape indices = draft.shape(1, 2, false);
    draft.tensor(of_indices, indices, whole(0, static_cast<double>(shape[axis])));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto axis = static_cast<unsigned>(c_.number("axis"));
    POPOPS_CALL(out = popops::gather(graph, a, b, axis, prog, popops::GatherParams()));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), b = elements(c, 1);
    const auto axis = static_cast<std::size_t>(c.number("axis"));
    Elements out{a.type, a.shape, {}};
    out.shape[axis] = b.values.size();
    for (std::size_t i = 0; i < elements_of(out.shape); ++i) {
      Shape at = coordinates(out.shape, i);
      const double index = b.values[at[axis]];
      const bool there = index < static_cast<double>(a.shape[axis]);
      at[axis] = there ? static_cast<std::size_t>(index) : 0;
      out.values.push_back(there ? a.values[index_of(a.shape, at)] : 0);
    }
    return {{exactly(out)}, {}};
  };
  return {"gather along an axis", draw, call, reference};
}

// What a gather and a scatter have in common: dimensions of windows in the result or the updates, those that a window
// has not, and into which dimensions of the operand the elements of an index vector go. Tensors: a is the operand, b
// the indices, c the updates.
void draw_windows(Draft& draft, bool scatter) {
  draft.way(scatter ? 2 : 1);
  draft.set("remap", draft.choices.one_in(3));
  const Type type = scatter ? draft.choices.pick({FLOAT, HALF, INT}) : some_type(draft);
  const Shape operand = draft.shape(1, 4, false);
  Shape window, without, batch, vectors = draft.some_of(operand.size());
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const bool one = scatter || draft.choices.below(2) == 0;
    window.push_back(one ? 1 : 1 + draft.choices.below(operand[d]));
    if (one && draft.choices.below(2) == 1)
      without.push_back(d);
    else if (scatter)
      window[d] = 1 + draft.choices.below(operand[d]);
  }
  for (std::size_t n = draft.choices.below(3); n != 0; --n) batch.push_back(1 + draft.choices.below(4));
  std::size_t vector_dim = draft.choices.below(batch.size() + 1);
  Shape indices = batch;
  indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(vector_dim), vectors.size());
  if (vectors.size() == 1 && draft.choices.below(2) == 1) {
    indices = batch;
    vector_dim = batch.size();
  }
  // Where the dimensions of windows stand among those of the batch.
  const std::size_t windows = operand.size() - without.size(), rank = windows + batch.size();
  Shape of_windows, result;
  std::size_t next_window = 0, next_batch = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool all = next_batch == batch.size(), none = of_windows.size() == windows;
    if (!all && (none || draft.choices.below(2) == 0)) {
      result.push_back(batch[next_batch++]);
      continue;
    }
    while (contains(without, next_window)) ++next_window;
    of_windows.push_back(d);
    result.push_back(window[next_window++]);
  }
  draft.set("vector_dim", static_cast<unsigned>(vector_dim));
  draft.set("window", window);
  draft.set("without", without);
  draft.set("vectors", std::vector<unsigned>(vectors.begin(), vectors.end()));
  if (scatter)
    draft.set("of_windows", std::vector<unsigned>(of_windows.begin(), of_windows.end()));
  else
    draft.set("of_windows", of_windows);
  draft.tensor(type, operand, scatter ? whole(-20, 20) : any_values(type), scatter ? Use::kWritten : Use::kRead);
  draft.tensor(INT, indices, whole(-1, 6));
  if (scatter) draft.tensor(type, result, whole(-20, 20));
}

// f(vector of the batch, element of the windows, element of the operand, whether the window fits there), in order of
// elements of the windows; shape: theirs.
template <class F>
void for_each(const Case& c, const Shape& shape, const Shape& operand, F f) {
  const Shape &of_windows = c.list("of_windows"), &window = c.list("window"), &without = c.list("without");
  const Shape& vectors = c.list("vectors");
  const Elements indices = elements(c, 1);
  const auto vector_dim = static_cast<std::size_t>(c.number("vector_dim"));
  for (std::size_t i = 0; i < elements_of(shape); ++i) {
    const Shape at = coordinates(shape, i);
    Shape of_batch, in(operand.size());
    std::size_t next = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (!contains(of_windows, d)) {
        of_batch.push_back(at[d]);
        continue;
      }
      while (contains(without, next)) ++next;
      in[next++] = at[d];
    }
    bool fits = true;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      Shape place = of_batch;
      if (vector_dim < indices.shape.size()) place.insert(place.begin() + static_cast<std::ptrdiff_t>(vector_dim), k);
      const std::size_t d = vectors[k];
      const auto last = static_cast<double>(operand[d] - window[d]);
      double index = indices.values[index_of(indices.shape, place)];
      if (c.number("remap") != 0 && (index < 0 || index > last)) index = 0;
      fits &= index >= 0 && index <= last;
      in[d] += static_cast<std::size_t>(std::clamp(index, 0.0, last));
    }
    f(of_batch, i, index_of(operand, in), fits);
  }
}

poplar::OptionFlags options_of(Call& call) {
  const bool remap = call.c.number("remap") != 0;
  call.text += "const OptionFlags options = {{\"remapOutOfBoundIndices\", remap ? \"true\" : \"false\"}};\n";
  return {{"remapOutOfBoundIndices", remap ? "true" : "false"}};
}

template <class T>
std::vector<T> numbers(const Shape& list) {
  return std::vector<T>(list.begin(), list.end());
}

Operator gather() {
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto vector_dim = static_cast<unsigned>(c_.number("vector_dim"));
    const Shape of_windows = c_.list("of_windows"), window = c_.list("window"), without = c_.list("without");
    const auto vectors = numbers<unsigned>(c_.list("vectors"));
    const poplar::OptionFlags options = options_of(call);
    POPOPS_CALL(out = popops::gather(graph, a, b, vector_dim, of_windows, window, without, vectors, prog, "", options));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), indices = elements(c, 1);
    const Shape &of_windows = c.list("of_windows"), &window = c.list("window"), &without = c.list("without");
    const auto vector_dim = static_cast<std::size_t>(c.number("vector_dim"));
    Shape batch = indices.shape;
    if (vector_dim < batch.size()) batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(vector_dim));
    Elements out{a.type, {}, {}};
    std::size_t next_batch = 0, next_window = 0;
    for (std::size_t d = 0; d < batch.size() + of_windows.size(); ++d) {
      if (!contains(of_windows, d)) {
        out.shape.push_back(batch[next_batch++]);
        continue;
      }
      while (contains(without, next_window)) ++next_window;
      out.shape.push_back(window[next_window++]);
    }
    for_each(c, out.shape, a.shape,
             [&](const Shape&, std::size_t, std::size_t place, bool) { out.values.push_back(a.values[place]); });
    return {{exactly(out)}, {}};
  };
  return {"gather", [](Draft& draft) { draw_windows(draft, false); }, call, reference};
}

Operator scatter() {
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const auto vector_dim = static_cast<unsigned>(c_.number("vector_dim"));
    const Shape without = c_.list("without");
    const auto of_windows = numbers<unsigned>(c_.list("of_windows")), vectors = numbers<unsigned>(c_.list("vectors"));
    const poplar::OptionFlags options = options_of(call);
    if (way == 0)
      POPOPS_CALL(popops::scatter(graph, a, b, c, vector_dim, of_windows, without, vectors, prog, "", options));
    if (way == 1)
      POPOPS_CALL(popops::UpdateComputationFunc add = [](Graph& graph, Tensor& x, Tensor& y,
                                                         Sequence& body) { return popops::add(graph, x, y, body); };
                  popops::scatter(graph, a, b, c, vector_dim, of_windows, without, vectors, add, prog, "", options));
  };
  const auto reference = [](const Case& c) -> Expectation {
    Elements a = elements(c, 0);
    const Elements updates = elements(c, 2);
    struct Write {
      Shape batch;
      std::size_t from, to;
    };
    std::vector<Write> writes;
    for_each(c, updates.shape, a.shape, [&](const Shape& batch, std::size_t from, std::size_t to, bool fits) {
      if (fits) writes.push_back({batch, from, to});
    });
    // One slice after another.
    std::stable_sort(writes.begin(), writes.end(), [](const Write& x, const Write& y) { return x.batch < y.batch; });
    for (const Write& write : writes) {
      double& value = a.values[write.to];
      value = c.number("way") == 1 ? value + updates.values[write.from] : updates.values[write.from];
    }
    return {{}, {{0, exactly(a)}}};
  };
  return {"scatter", [](Draft& draft) { draw_windows(draft, true); }, call, reference};
}

}  // namespace

std::vector<Operator> gather_operators() { return {along_axis(), gather(), scatter()}; }

}  // namespace popops_test
