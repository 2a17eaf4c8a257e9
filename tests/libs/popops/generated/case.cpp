#include "tests/libs/popops/generated/case.h"

#include <stdexcept>

namespace popops_test {

const Parameter& Case::parameter(const std::string& name) const {
  for (const Parameter& p : parameters)
    if (p.name == name) return p;
  throw std::out_of_range("case: no parameter " + name);
}

namespace {

// Elements of a new shape: `from` gives the coordinates in the old one of those in the new one.
template <class From>
void rearrange(Shown& shown, const Shape& shape, From from) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < elements_of(shape); ++i)
    places.push_back(shown.places[index_of(shown.shape, from(coordinates(shape, i)))]);
  shown.shape = shape;
  shown.places = std::move(places);
}

void apply(const Case& c, Shown& shown, const ViewOp& op) {
  Shape shape = shown.shape;
  const Shape& at = op.at;
  switch (op.is) {
    case ViewOp::Is::kReshape:
      shown.shape = at;
      return;
    case ViewOp::Is::kDimShuffle:
      for (std::size_t d = 0; d < at.size(); ++d) shape[d] = shown.shape[at[d]];
      return rearrange(shown, shape, [&](const Shape& to) {
        Shape old(to.size());
        for (std::size_t d = 0; d < at.size(); ++d) old[at[d]] = to[d];
        return old;
      });
    case ViewOp::Is::kSlice:
      shape[at[2]] = at[1] - at[0];
      return rearrange(shown, shape, [&](Shape to) {
        to[at[2]] += at[0];
        return to;
      });
    case ViewOp::Is::kReverse:
      return rearrange(shown, shape, [&](Shape to) {
        to[at[0]] = shape[at[0]] - 1 - to[at[0]];
        return to;
      });
    case ViewOp::Is::kSubSample:
      shape[at[1]] = (shape[at[1]] + at[0] - 1) / at[0];
      return rearrange(shown, shape, [&](Shape to) {
        to[at[1]] *= at[0];
        return to;
      });
    case ViewOp::Is::kBroadcast: {
      const std::size_t size = shape[at[1]];
      shape[at[1]] *= at[0];
      return rearrange(shown, shape, [&](Shape to) {
        to[at[1]] %= size;
        return to;
      });
    }
    case ViewOp::Is::kConcat: {
      const Shown other = c.show(op.other[0]);
      const std::size_t first = shape[at[0]];
      shape[at[0]] += other.shape[at[0]];
      Shown both{shown.type, shape, {}};
      for (std::size_t i = 0; i < elements_of(shape); ++i) {
        Shape to = coordinates(shape, i);
        const bool in_other = to[at[0]] >= first;
        if (in_other) to[at[0]] -= first;
        const Shown& from = in_other ? other : shown;
        both.places.push_back(from.places[index_of(from.shape, to)]);
      }
      shown = std::move(both);
      return;
    }
  }
}

}  // namespace

Shown Case::show(const View& view) const {
  const Variable& variable = variables[view.variable];
  Shown shown{variable.type, variable.shape, {}};
  for (std::size_t i = 0; i < elements_of(variable.shape); ++i) shown.places.push_back({view.variable, i});
  for (const ViewOp& op : view.ops) apply(*this, shown, op);
  return shown;
}

const char* name_of_tensor(std::size_t tensor) {
  static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  return names[tensor];
}

const char* name_of(Type type) {
  if (type == FLOAT) return "FLOAT";
  if (type == HALF) return "HALF";
  if (type == INT) return "INT";
  if (type == UNSIGNED_INT) return "UNSIGNED_INT";
  if (type == SHORT) return "SHORT";
  if (type == UNSIGNED_SHORT) return "UNSIGNED_SHORT";
  if (type == SIGNED_CHAR) return "SIGNED_CHAR";
  if (type == UNSIGNED_CHAR) return "UNSIGNED_CHAR";
  return "BOOL";
}

}  // namespace popops_test
