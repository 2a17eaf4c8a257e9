// Elements put in order, the first of them, ranges, one-hot rows.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <popops/Encoding.hpp>
#include <popops/Sort.hpp>
#include <popops/TopK.hpp>

#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

Type some_type(Draft& draft) { return draft.type(3); }

// NaNs last, -0 before 0.
bool before(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
  if (x == 0 && y == 0) return std::signbit(x) && !std::signbit(y);
  return x < y;
}

// Rows along a dimension: places of the elements of each.
std::vector<std::vector<std::size_t>> rows_along(const Shape& shape, std::size_t dim) {
  std::vector<std::vector<std::size_t>> rows;
  std::size_t inner = 1;
  for (std::size_t d = dim + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::size_t n = elements_of(shape);
  for (std::size_t i = 0; i < n; ++i) {
    if (i / inner % shape[dim] != 0) continue;
    rows.emplace_back();
    for (std::size_t k = 0; k < shape[dim]; ++k) rows.back().push_back(i + k * inner);
  }
  return rows;
}

// The places of a row in the order of their keys.
template <class Before>
std::vector<std::size_t> ordered(std::vector<std::size_t> row, const Values& keys, Before first) {
  std::stable_sort(row.begin(), row.end(), [&](std::size_t i, std::size_t j) { return first(keys[i], keys[j]); });
  return row;
}

// ways: 0 sort, 1 sortInPlace, 2 sortKeyValue, 3 sortKeyValueInPlace.
Operator sort(const std::string& name, bool in_place, bool with_values) {
  const auto draw = [=](Draft& draft) {
    draft.way(1);
    const Type type = some_type(draft);
    const Shape shape = draft.shape(1);
    draft.set("dim", draft.choices.below(shape.size()));
    const Use use = in_place ? Use::kWritten : Use::kRead;
    draft.tensor(type, shape, draft.choices.below(2) == 0 ? any_values(type) : whole(0, 1), use);
    if (with_values) {
      const Type of_values = draft.full() ? some_type(draft) : draft.choices.pick({INT, HALF});
      draft.tensor(of_values, shape, any_values(of_values), use);
    }
  };
  const auto call = [=](Call& call) {
    POPOPS_NAMES;
    const auto dim = static_cast<unsigned>(c_.number("dim"));
    if (!in_place && !with_values) POPOPS_CALL(out = popops::sort(graph, a, dim, prog));
    if (in_place && !with_values) POPOPS_CALL(popops::sortInPlace(graph, a, dim, prog));
    if (!in_place && with_values) POPOPS_CALL(out = popops::sortKeyValue(graph, a, b, dim, prog));
    if (in_place && with_values) POPOPS_CALL(popops::sortKeyValueInPlace(graph, a, b, dim, prog));
  };
  const auto reference = [=](const Case& c) -> Expectation {
    const Elements keys = elements(c, 0), values = with_values ? elements(c, 1) : keys;
    Elements sorted = keys, moved = values;
    for (const auto& row : rows_along(keys.shape, static_cast<std::size_t>(c.number("dim")))) {
      const auto order = ordered(row, keys.values, before);
      for (std::size_t i = 0; i < row.size(); ++i) {
        sorted.values[row[i]] = keys.values[order[i]];
        moved.values[row[i]] = values.values[order[i]];
      }
    }
    if (!in_place) return {{exactly(moved)}, {}};
    if (!with_values) return {{}, {{0, exactly(sorted)}}};
    return {{}, {{0, exactly(sorted)}, {1, exactly(moved)}}};
  };
  return {name, draw, call, reference};
}

// One after another in the order of the result: the largest or smallest first, NaNs last in either; then turned.
enum class Top { kKeys, kValues, kPlaces };

Operator top(const std::string& name, Top what) {
  const auto draw = [=](Draft& draft) {
    draft.way(1);
    const Type type = some_type(draft);
    const Shape shape = draft.shape(1, 4, false);
    draft.set("k", 1 + draft.choices.below(shape.back()));
    draft.set("largest", draft.choices.below(2) == 0);
    const bool ascending = draft.choices.below(2) == 0;
    draft.set("order", std::string("popops::SortOrder::") + (ascending ? "ASCENDING" : "DESCENDING"), ascending);
    const bool keys_alone = what == Top::kKeys;
    const bool stable = !keys_alone && draft.choices.below(2) == 0;
    draft.set("stable", stable);
    // Which of equal keys comes first is said of stable sorts alone.
    const bool any = keys_alone || stable;
    if (any)
      draft.tensor(type, shape, draft.choices.below(2) == 0 ? any_values(type) : whole(0, 1));
    else
      draft.tensor(type == BOOL || size_of(type) == 1 ? INT : type, shape, distinct(), Use::kWhole);
    if (what == Top::kValues) {
      const Type of_values = draft.full() ? some_type(draft) : INT;
      draft.tensor(of_values, shape, any_values(of_values));
    }
  };
  const auto call = [=](Call& call) {
    POPOPS_NAMES;
    const auto k = static_cast<unsigned>(c_.number("k"));
    const bool largest = c_.number("largest") != 0, stable = c_.number("stable") != 0;
    const auto order = c_.number("order") != 0 ? popops::SortOrder::ASCENDING : popops::SortOrder::DESCENDING;
    const popops::TopKParams params(k, largest, order, stable);
    call.text += "const popops::TopKParams params(k, largest, order, stable);\n";
    if (what == Top::kKeys) POPOPS_CALL(out = popops::topK(graph, prog, a, params));
    if (what == Top::kValues)
      POPOPS_CALL(auto both = popops::topKKeyValue(graph, prog, a, b, params); out = both.first; out2 = both.second);
    if (what == Top::kPlaces)
      POPOPS_CALL(auto both = popops::topKWithPermutation(graph, prog, a, params); out = both.first;
                  out2 = both.second);
  };
  const auto reference = [=](const Case& c) -> Expectation {
    const Elements keys = elements(c, 0), values = what == Top::kValues ? elements(c, 1) : keys;
    const auto k = static_cast<std::size_t>(c.number("k"));
    const bool largest = c.number("largest") != 0, ascending = c.number("order") != 0;
    const auto descending_first = [](double x, double y) {
      if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
      return before(y, x);
    };
    Shape shape = keys.shape;
    shape.back() = k;
    Elements out{keys.type, shape, {}}, out2{what == Top::kValues ? values.type : UNSIGNED_INT, shape, {}};
    for (const auto& row : rows_along(keys.shape, keys.shape.size() - 1)) {
      auto order = largest ? ordered(row, keys.values, descending_first) : ordered(row, keys.values, before);
      order.resize(k);
      // In the order that is asked for; equal ones as they stand in the row.
      std::sort(order.begin(), order.end());
      order = ascending ? ordered(order, keys.values, before) : ordered(order, keys.values, descending_first);
      for (const std::size_t i : order) {
        out.values.push_back(keys.values[i]);
        out2.values.push_back(what == Top::kValues ? values.values[i] : static_cast<double>(i - row[0]));
      }
    }
    if (what == Top::kKeys) return {{exactly(out)}, {}};
    return {{exactly(out), exactly(out2)}, {}};
  };
  return {name, draw, call, reference};
}

Operator iota() {
  const auto draw = [](Draft& draft) {
    const std::size_t way = draft.way(2);
    const Type type = way == 0 ? UNSIGNED_INT : INT;
    draft.tensor(type, draft.shape(0, 1), any_values(type), Use::kWritten);
    if (way == 0)
      draft.set("start", draft.choices.pick({0u, 7u, 4294967290u}));
    else
      draft.set("start", draft.choices.pick({0, 7, -50}));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    if (way == 0) {
      const auto start = static_cast<unsigned>(c_.number("start"));
      POPOPS_CALL(popops::iota(graph, a, start, prog));
    } else {
      const auto start = static_cast<int>(c_.number("start"));
      POPOPS_CALL(popops::iota(graph, a, start, prog));
    }
  };
  const auto reference = [](const Case& c) -> Expectation {
    Elements a = elements(c, 0);
    double next = c.number("start");
    for (double& v : a.values) {
      v = next;
      next = next == 4294967295.0 ? 0 : next + 1;
    }
    return {{}, {{0, exactly(a)}}};
  };
  return {"iota", draw, call, reference};
}

Operator one_hot() {
  const auto draw = [](Draft& draft) {
    const std::size_t way = draft.way(2);
    const Type type = some_type(draft);
    const std::size_t rows = draft.choices.between(0, 9), width = draft.choices.between(1, 12);
    const Type indices = draft.choices.pick({UNSIGNED_INT, INT});
    draft.tensor(indices, {rows}, whole(indices == INT ? -1 : 0, static_cast<double>(width)));
    draft.tensor(type, {rows, width}, any_values(type), Use::kWritten);
    if (way == 1) {
      draft.tensor(type, {}, any_values(type));
      draft.tensor(type, {1}, any_values(type));
    }
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    if (way == 0) POPOPS_CALL(popops::encodeOneHot(graph, a, b, prog));
    if (way == 1) POPOPS_CALL(popops::encodeOneHot(graph, a, b, prog, c, d));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements indices = elements(c, 0);
    Elements encoded = elements(c, 1);
    const bool given = c.number("way") == 1;
    const double on = given ? elements(c, 2).values[0] : 1, off = given ? elements(c, 3).values[0] : 0;
    const std::size_t width = encoded.shape[1];
    for (std::size_t i = 0; i < encoded.values.size(); ++i)
      encoded.values[i] = indices.values[i / width] == static_cast<double>(i % width) ? on : off;
    return {{}, {{1, exactly(encoded)}}};
  };
  return {"encodeOneHot", draw, call, reference};
}

}  // namespace

std::vector<Operator> order_operators() {
  return {sort("sort", false, false),
          sort("sortInPlace", true, false),
          sort("sortKeyValue", false, true),
          sort("sortKeyValueInPlace", true, true),
          top("topK", Top::kKeys),
          top("topKKeyValue", Top::kValues),
          top("topKWithPermutation", Top::kPlaces),
          iota(),
          one_hot()};
}

}  // namespace popops_test
