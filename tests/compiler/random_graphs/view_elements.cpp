#include "tests/compiler/random_graphs/view_elements.h"

#include <algorithm>
#include <set>

namespace tessera::test {
namespace {

using index_model::Element;
using index_model::Model;

constexpr std::size_t kMostElements = 5000;

void require(bool good, const char* what) {
  if (!good) throw Invalid(what);
}

Shown reshaped(Shown shown, Shape shape) {
  require(count(shape) == shown.elements.size(), "reshape");
  shown.shape = std::move(shape);
  return shown;
}

Shown with(Kind kind, Model model) { return {kind, std::move(model.shape), std::move(model.elements)}; }

}  // namespace

Shown apply(const Recipe& recipe, const ViewOp& op, Shown shown) {
  const std::vector<std::size_t>& at = op.at;
  const std::size_t rank = shown.shape.size();
  const Kind kind = shown.kind;
  const Model model{shown.shape, shown.elements};
  const auto dimension = [&](std::size_t number) {
    require(at.size() > number && at[number] < rank, "dimension");
    return static_cast<unsigned>(at[number]);
  };
  switch (op.is) {
    case ViewOp::Is::kSlice: {
      const unsigned d = dimension(2);
      require(at[0] <= at[1] && at[1] <= shown.shape[d], "slice");
      return with(kind, index_model::slice(model, d, at[0], at[1]));
    }
    case ViewOp::Is::kIndex: {
      require(rank > 0 && at[0] < shown.shape[0], "index");
      Shown row = with(kind, index_model::slice(model, 0, at[0], at[0] + 1));
      row.shape.erase(row.shape.begin());
      return row;
    }
    case ViewOp::Is::kReshape:
      return reshaped(std::move(shown), at);
    case ViewOp::Is::kFlatten:
      return reshaped(std::move(shown), {model.elements.size()});
    case ViewOp::Is::kDimShuffle: {
      require(at.size() == rank && std::set<std::size_t>(at.begin(), at.end()).size() == rank, "dimShuffle");
      for (std::size_t i = 0; i < rank; ++i) dimension(i);
      return with(kind, index_model::dim_shuffle(model, std::vector<unsigned>(at.begin(), at.end())));
    }
    case ViewOp::Is::kBroadcast:
    case ViewOp::Is::kUpsample: {
      const unsigned d = dimension(1);
      require(at[0] > 0 && at[0] * model.elements.size() <= kMostElements, "broadcast");
      return with(kind, op.is == ViewOp::Is::kBroadcast ? index_model::broadcast(model, d, at[0])
                                                        : index_model::upsample(model, d, at[0]));
    }
    case ViewOp::Is::kSubSample: {
      const unsigned d = dimension(1);
      require(at[0] > 0, "subSample");
      return with(kind, index_model::sub_sample(model, d, at[0]));
    }
    case ViewOp::Is::kReverse:
      return with(kind, index_model::reverse(model, dimension(0)));
    case ViewOp::Is::kExpand: {
      require(at[0] <= rank && rank < 5, "expand");
      shown.shape.insert(shown.shape.begin() + static_cast<std::ptrdiff_t>(at[0]), 1);
      return shown;
    }
    case ViewOp::Is::kSqueeze: {
      const unsigned d = dimension(0);
      require(shown.shape[d] == 1, "squeeze");
      shown.shape.erase(shown.shape.begin() + d);
      return shown;
    }
    case ViewOp::Is::kConcat: {
      const unsigned d = dimension(0);
      const Shown other = show(recipe, op.other.at(0));
      require(other.kind == kind && other.shape.size() == rank, "concat");
      for (std::size_t i = 0; i < rank; ++i) require(i == d || other.shape[i] == shown.shape[i], "concat");
      const std::size_t n = other.elements.size() + model.elements.size();
      require(n > 0 && n <= kMostElements, "concat");
      return with(kind, index_model::concat({model, {other.shape, other.elements}}, d));
    }
    case ViewOp::Is::kReinterpret: {
      shown.kind = static_cast<Kind>(at[0]);
      require(same_bits(kind, shown.kind), "reinterpret");
      return shown;
    }
  }
  throw Invalid("operation");
}

Shown show(const Recipe& recipe, const View& view) {
  require(view.variable < recipe.variables.size(), "variable");
  const Variable& variable = recipe.variables[view.variable];
  Shown shown = with(variable.kind, index_model::whole(view.variable, variable.shape));
  for (const ViewOp& op : view.ops) shown = apply(recipe, op, std::move(shown));
  return shown;
}

bool has_aliases(const Shown& shown) {
  return std::set<Element>(shown.elements.begin(), shown.elements.end()).size() != shown.elements.size();
}

bool overlap(const Shown& a, const Shown& b) {
  const std::set<Element> of_a(a.elements.begin(), a.elements.end());
  return std::any_of(b.elements.begin(), b.elements.end(), [&](const Element& e) { return of_a.count(e) > 0; });
}

}  // namespace tessera::test
