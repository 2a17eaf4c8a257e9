// Elements of rows, sequences of rows, the last tensors that were added.
#include <algorithm>
#include <cmath>
#include <popops/CircBuf.hpp>
#include <popops/EncodingConstants.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/SequenceSlice.hpp>
#include <popops/UpdateScalarInRows.hpp>

#include "tests/libs/popops/generated/element_wise_reference.h"
#include "tests/libs/popops/generated/groups.h"

namespace popops_test {
namespace {

Operator scalar_of_rows(bool update) {
  const auto draw = [=](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({FLOAT, HALF});
    const std::size_t rows = 1 + draft.choices.below(12), width = 1 + draft.choices.below(16);
    draft.tensor(type, {rows, width}, any_values(type), update ? Use::kWritten : Use::kRead);
    draft.tensor(UNSIGNED_INT, {rows}, [=](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
      Values out = whole(0, static_cast<double>(width))(random, kind, n);
      for (double& v : out)
        if (kind != 0 && random() % 5 == 0) v = MASKED_LABEL_CODE;
      return out;
    });
  };
  const auto call = [=](Call& call) {
    POPOPS_NAMES;
    if (update)
      POPOPS_CALL(popops::updateScalarInRows(graph, a, b, prog));
    else
      POPOPS_CALL(out = popops::selectScalarFromRows(graph, a, b, prog));
  };
  const auto reference = [=](const Case& c) -> Expectation {
    const Elements a = elements(c, 0), indices = elements(c, 1);
    Expected updated = exactly(a);
    updated.slack.assign(a.values.size(), 0.0);
    Elements selected{a.type, {a.shape[0]}, {}};
    for (std::size_t row = 0; row < a.shape[0]; ++row) {
      const double index = indices.values[row];
      const std::size_t begin = row * a.shape[1];
      if (index == MASKED_LABEL_CODE) {
        selected.values.push_back(0);
        continue;
      }
      const bool there = index < static_cast<double>(a.shape[1]);
      const std::size_t at = begin + (there ? static_cast<std::size_t>(index) : 0);
      selected.values.push_back(there ? a.values[at] : NAN);
      if (!there) std::fill_n(updated.values.begin() + static_cast<std::ptrdiff_t>(begin), a.shape[1], NAN);
      if (!there) continue;
      const Exact less = binary(BinaryOpType::SUBTRACT, a.type, a.values[at], 1);
      updated.values[at] = less.value;
      updated.slack[at] = less.slack;
    }
    if (update) return {{}, {{0, updated}}};
    return {{exactly(selected)}, {}};
  };
  return {update ? "updateScalarInRows" : "selectScalarFromRows", draw, call, reference};
}

Operator sequence_slice() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({FLOAT, HALF, UNSIGNED_CHAR});
    const std::size_t columns = 1 + draft.choices.below(6), n = 1 + draft.choices.below(5);
    const std::size_t from = 1 + draft.choices.below(12), to = 1 + draft.choices.below(12);
    draft.set("zero_unused", draft.choices.below(2) == 1);
    draft.tensor(type, {from, columns}, any_values(type));
    draft.tensor(type, {to, columns}, any_values(type), Use::kWritten);
    for (const std::size_t most : {std::size_t{7}, from + 1, to + 1})
      draft.tensor(draft.choices.pick({UNSIGNED_INT, INT}), {n}, whole(0, static_cast<double>(most)));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const bool zero_unused = c_.number("zero_unused") != 0;
    POPOPS_CALL(popops::sequenceSlice(graph, a, b, c, d, e, zero_unused, prog));
  };
  const auto reference = [](const Case& c) -> Expectation {
    const Elements in = elements(c, 0), n = elements(c, 2), in_at = elements(c, 3), out_at = elements(c, 4);
    Elements out = elements(c, 1);
    if (c.number("zero_unused") != 0) std::fill(out.values.begin(), out.values.end(), 0.0);
    const std::size_t columns = in.shape[1];
    for (std::size_t i = 0; i < n.values.size(); ++i) {
      const auto from = static_cast<std::size_t>(in_at.values[i]), to = static_cast<std::size_t>(out_at.values[i]);
      for (std::size_t k = 0; k < static_cast<std::size_t>(n.values[i]); ++k) {
        if (from + k >= in.shape[0] || to + k >= out.shape[0]) break;
        for (std::size_t column = 0; column < columns; ++column)
          out.values[(to + k) * columns + column] = in.values[(from + k) * columns + column];
      }
    }
    return {{}, {{1, exactly(out)}}};
  };
  return {"sequenceSlice", draw, call, reference};
}

Operator circular_buffer() {
  const auto draw = [](Draft& draft) {
    draft.way(1);
    const Type type = draft.choices.pick({FLOAT, HALF, SHORT});
    const Shape shape = draft.shape(1, 3, false);
    const unsigned size = 1 + draft.choices.below(3);
    draft.set("type", type);
    draft.set("shape", shape);
    draft.set("size", size);
    draft.set("ago", draft.choices.below(size));
    for (int i = 0; i < 4; ++i) draft.tensor(type, shape, any_values(type));
  };
  const auto call = [](Call& call) {
    POPOPS_NAMES;
    const Type type = c_.type("type");
    const Shape shape = c_.list("shape");
    const auto size = static_cast<unsigned>(c_.number("size")), ago = static_cast<unsigned>(c_.number("ago"));
    POPOPS_CALL(popops::CircBuf buffer(graph, type, size, shape); for (Tensor t : {a, b, c, d}) buffer.add(t, prog);
                out = buffer.prev(ago, prog); out2 = buffer.getIndex());
  };
  const auto reference = [](const Case& c) -> Expectation {
    const auto size = static_cast<std::size_t>(c.number("size"));
    const Expected index{UNSIGNED_INT, {1}, {static_cast<double>(4 % size)}, {}};
    return {{exactly(elements(c, 3 - static_cast<std::size_t>(c.number("ago")))), index}, {}};
  };
  return {"CircBuf", draw, call, reference};
}

}  // namespace

std::vector<Operator> row_operators() {
  return {scalar_of_rows(false), scalar_of_rows(true), sequence_slice(), circular_buffer()};
}

}  // namespace popops_test
