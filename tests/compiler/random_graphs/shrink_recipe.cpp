#include "tests/compiler/random_graphs/shrink_recipe.h"

#include <algorithm>

#include "tests/compiler/random_graphs/unused.h"
#include "tests/compiler/random_graphs/view_elements.h"

namespace tessera::test {
namespace {

using Edit = std::function<void(Recipe&)>;

template <class T>
void remove(std::vector<T>& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

void remove_program(Recipe& recipe, std::size_t program) {
  remove(recipe.programs, program);
  const auto runs_it = [=](const HostAction& a) { return a.is == HostAction::Is::kRun && a.number == program; };
  std::erase_if(recipe.actions, runs_it);
  for (HostAction& action : recipe.actions)
    if (action.is == HostAction::Is::kRun && action.number > program) --action.number;
}

// One half of the elements of each of some views.
void halve(const Recipe& recipe, const std::vector<View*>& all, bool second) {
  for (View* view : all) {
    const Shown shown = show(recipe, *view);
    const std::size_t n = shown.elements.size();
    if (n < 2) continue;
    const std::size_t begin = second ? n / 2 : 0, end = second ? n : n / 2;
    if (shown.shape.size() == 1 && !view->ops.empty() && view->ops.back().is == ViewOp::Is::kSlice) {
      std::vector<std::size_t>& at = view->ops.back().at;
      at[1] = at[0] + end;
      at[0] += begin;
      continue;
    }
    if (shown.shape.size() != 1) view->ops.push_back({ViewOp::Is::kFlatten, {}, {}});
    view->ops.push_back({ViewOp::Is::kSlice, {begin, end, 0}, {}});
  }
}

void truncate(Variable& variable, std::size_t dimension, std::size_t size) {
  variable.shape[dimension] = size;
  const std::size_t n = count(variable.shape);
  if (variable.values.size() > 1) variable.values.resize(n);
  std::size_t at = 0;
  for (std::size_t i = 0; i < variable.mapping.size(); ++i) {
    Piece& piece = variable.mapping[i];
    if (at + piece.elements >= n) {
      piece.elements = n - at;
      variable.mapping.resize(piece.elements == 0 ? i : i + 1);
      break;
    }
    at += piece.elements;
  }
}

class Edits {
 public:
  explicit Edits(const Recipe& recipe) : recipe_(recipe) {}

  // The largest first.
  std::vector<Edit> all() {
    for (std::size_t i = recipe_.actions.size(); i-- > 0;) edits_.push_back([i](Recipe& r) { remove(r.actions, i); });
    for (std::size_t p = 0; p < recipe_.programs.size(); ++p)
      edits_.push_back([p](Recipe& r) { remove_program(r, p); });
    steps();
    edits_.push_back(remove_unused);
    vertices();
    for (std::size_t i = 0; i < recipe_.initials.size(); ++i)
      edits_.push_back([i](Recipe& r) { remove(r.initials, i); });
    variables();
    view_ops();
    sizes();
    if (recipe_.variables.size() < 16) merge();
    return std::move(edits_);
  }

 private:
  void steps() {
    const std::vector<Body*> all = bodies(recipe_);
    for (std::size_t b = 0; b < all.size(); ++b) {
      for (std::size_t i = all[b]->size(); i-- > 0;) {
        edits_.push_back([b, i](Recipe& r) { remove(*bodies(r)[b], i); });
        const Step& step = (*all[b])[i];
        for (std::size_t k = 0; k < step.bodies.size(); ++k)
          edits_.push_back([b, i, k](Recipe& r) {
            Body& body = *bodies(r)[b];
            const Body inside = body[i].bodies[k];
            remove(body, i);
            body.insert(body.begin() + static_cast<std::ptrdiff_t>(i), inside.begin(), inside.end());
          });
        for (std::size_t k = 0; k < step.cases.size(); ++k)
          edits_.push_back([b, i, k](Recipe& r) {
            Step& chosen = (*bodies(r)[b])[i];
            remove(chosen.cases, k);
            remove(chosen.bodies, k);
          });
        if (step.is == Step::Is::kRepeat && step.number > 1)
          edits_.push_back([b, i](Recipe& r) { --(*bodies(r)[b])[i].number; });
        if (step.is == Step::Is::kExecute && !step.views.empty())
          edits_.push_back([b, i](Recipe& r) { (*bodies(r)[b])[i].views.clear(); });
        if (step.is == Step::Is::kCall)
          edits_.push_back([b, i](Recipe& r) {
            Step& call = (*bodies(r)[b])[i];
            const Body called = r.functions[call.number];
            call = {Step::Is::kSequence, 0, {}, {called}, {}};
          });
      }
    }
  }

  void vertices() {
    for (std::size_t s = 0; s < recipe_.compute_sets.size(); ++s) {
      const std::vector<Vertex>& all = recipe_.compute_sets[s].vertices;
      for (std::size_t v = all.size(); v-- > 0;) {
        edits_.push_back([s, v](Recipe& r) { remove(r.compute_sets[s].vertices, v); });
        for (std::size_t f = 0; f < all[v].edges.size(); ++f)
          for (std::size_t e = 0; all[v].edges[f].size() > 1 && e < all[v].edges[f].size(); ++e)
            edits_.push_back([s, v, f, e](Recipe& r) { remove(r.compute_sets[s].vertices[v].edges[f], e); });
        if (all[v].tile != 0) edits_.push_back([s, v](Recipe& r) { r.compute_sets[s].vertices[v].tile = 0; });
        for (const bool second : {false, true})
          edits_.push_back([s, v, second](Recipe& r) {
            std::vector<View*> edges;
            for (std::vector<View>& field : r.compute_sets[s].vertices[v].edges)
              for (View& view : field) edges.push_back(&view);
            halve(r, edges, second);
          });
      }
    }
  }

  void variables() {
    for (std::size_t v = 0; v < recipe_.variables.size(); ++v) {
      const Variable& variable = recipe_.variables[v];
      if (variable.read_at_end) edits_.push_back([v](Recipe& r) { r.variables[v].read_at_end = false; });
      if (variable.mapping.size() > 1)
        edits_.push_back([v](Recipe& r) { r.variables[v].mapping = {{count(r.variables[v].shape), 0}}; });
      for (std::size_t p = 0; p + 1 < variable.mapping.size(); ++p)
        edits_.push_back([v, p](Recipe& r) {
          std::vector<Piece>& pieces = r.variables[v].mapping;
          pieces[p].elements += pieces[p + 1].elements;
          remove(pieces, p + 1);
        });
      if (variable.mapping.size() == 1 && variable.mapping[0].tile > 0)
        edits_.push_back([v](Recipe& r) { r.variables[v].mapping[0].tile = 0; });
      if (variable.constant) edits_.push_back([v](Recipe& r) { r.variables[v].constant = false; });
      if (!variable.constant && !variable.values.empty())
        edits_.push_back([v](Recipe& r) { r.variables[v].values.clear(); });
    }
    if (recipe_.machine != "mk2-4")
      edits_.push_back([](Recipe& r) {
        r.machine = "mk2-4";
        r.tiles = 4;
        for (Variable& variable : r.variables)
          for (Piece& piece : variable.mapping) piece.tile %= 4;
        for (ComputeSet& set : r.compute_sets)
          for (Vertex& vertex : set.vertices) vertex.tile %= 4;
      });
  }

  // Operations of views, one, or one of each side of a copy.
  void view_ops() {
    const std::vector<View*> all = views(recipe_);
    for (std::size_t w = 0; w < all.size(); ++w) {
      if (!all[w]->ops.empty()) edits_.push_back([w](Recipe& r) { views(r)[w]->ops.clear(); });
      for (std::size_t i = all[w]->ops.size(); i-- > 0;) {
        edits_.push_back([w, i](Recipe& r) { remove(views(r)[w]->ops, i); });
        if (all[w]->ops[i].is == ViewOp::Is::kSlice)
          edits_.push_back([w, i](Recipe& r) {
            std::vector<std::size_t>& at = views(r)[w]->ops[i].at;
            at[1] -= at[0];
            at[0] = 0;
          });
        if (all[w]->ops[i].is != ViewOp::Is::kConcat) continue;
        edits_.push_back([w, i](Recipe& r) {  // the other side alone
          View& view = *views(r)[w];
          View other = view.ops[i].other[0];
          other.ops.insert(other.ops.end(), view.ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, view.ops.end());
          view = std::move(other);
        });
      }
    }
    const std::vector<Body*> steps = bodies(recipe_);
    for (std::size_t b = 0; b < steps.size(); ++b) {
      for (std::size_t i = 0; i < steps[b]->size(); ++i) {
        const Step& step = (*steps[b])[i];
        if (step.is != Step::Is::kCopy) continue;
        for (std::size_t x = 0; x < step.views[0].ops.size(); ++x)
          for (std::size_t y = 0; y < step.views[1].ops.size(); ++y)
            edits_.push_back([b, i, x, y](Recipe& r) {
              std::vector<View>& sides = (*bodies(r)[b])[i].views;
              remove(sides[0].ops, x);
              remove(sides[1].ops, y);
            });
        for (const bool second : {false, true})
          edits_.push_back([b, i, second](Recipe& r) {
            std::vector<View>& sides = (*bodies(r)[b])[i].views;
            halve(r, {&sides[0], &sides[1]}, second);
          });
      }
    }
  }

  // Two variables where one does: all uses of one, or a single one, are of the other.
  void merge() {
    const auto same_kind = [&](unsigned a, unsigned b) {
      return a != b && recipe_.variables[a].kind == recipe_.variables[b].kind;
    };
    const std::vector<View*> all = views(recipe_);
    for (std::size_t w = 0; w < all.size(); ++w)
      for (unsigned v = 0; v < recipe_.variables.size(); ++v)
        if (same_kind(all[w]->variable, v))
          edits_.push_back([w, v](Recipe& r) {
            views(r)[w]->variable = v;
            remove_unused(r);
          });
    for (unsigned from = 0; from < recipe_.variables.size(); ++from)
      for (unsigned to = 0; to < recipe_.variables.size(); ++to)
        if (same_kind(from, to))
          edits_.push_back([from, to](Recipe& r) {
            for (View* view : views(r))
              if (view->variable == from) view->variable = to;
            remove_unused(r);
          });
  }

  // Smaller variables: one, or all of a shape at once.
  void sizes() {
    for (std::size_t v = 0; v < recipe_.variables.size(); ++v) {
      const Shape shape = recipe_.variables[v].shape;
      if (shape.size() > 1) edits_.push_back([v](Recipe& r) { r.variables[v].shape = {count(r.variables[v].shape)}; });
      for (std::size_t d = 0; d < shape.size(); ++d) {
        for (const std::size_t size : {shape[d] / 2, shape[d] - 1}) {
          if (shape[d] < 2) continue;
          edits_.push_back([v, d, size](Recipe& r) { truncate(r.variables[v], d, size); });
          edits_.push_back([shape, d, size](Recipe& r) {
            for (Variable& variable : r.variables)
              if (variable.shape == shape) truncate(variable, d, size);
          });
        }
      }
    }
  }

  Recipe recipe_;
  std::vector<Edit> edits_;
};

// What a reader has to take in. Every edit that is kept makes it less, so that shrinking ends.
std::size_t weight(Recipe& recipe) {
  std::size_t sum =
      100 * (recipe.initials.size() + recipe.compute_sets.size() + recipe.streams.size() + recipe.handles.size() +
             recipe.functions.size() + recipe.programs.size() + recipe.actions.size());
  sum += recipe.tiles + (recipe.machine == "mk2-4" ? 0 : 1);
  for (const Variable& variable : recipe.variables) {
    sum += 100 + variable.shape.size() + 2 * count(variable.shape) + 4 * variable.mapping.size() +
           (variable.constant ? 1 : 0) + (variable.read_at_end ? 1 : 0) + (variable.values.empty() ? 0 : 1);
    for (const Piece& piece : variable.mapping) sum += piece.tile > 0 ? 1 : 0;
  }
  for (const ComputeSet& set : recipe.compute_sets)
    for (const Vertex& vertex : set.vertices) sum += 200 + (vertex.tile > 0 ? 1 : 0);
  for (const Body* body : bodies(recipe))
    for (const Step& step : *body)
      sum += 200 + 50 * step.bodies.size() + (step.is == Step::Is::kRepeat ? step.number : 0);
  for (const View* view : views(recipe)) {
    sum += 10 + show(recipe, *view).elements.size();
    for (const ViewOp& op : view->ops) sum += op.is == ViewOp::Is::kSlice && op.at[0] > 0 ? 9 : 8;
  }
  return sum;
}

}  // namespace

Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails) {
  std::size_t least = weight(recipe);
  const auto better = [&](const Edit& edit, Recipe& smaller) {
    try {
      edit(smaller);
      remove_unreachable(smaller);
      const std::size_t now = weight(smaller);
      if (now >= least || !fails(smaller)) return false;
      least = now;
      return true;
    } catch (const Invalid&) {
      return false;
    }
  };
  for (bool shrank = true; shrank;) {
    shrank = false;
    std::vector<Edit> edits = Edits(recipe).all();
    for (std::size_t i = 0; i < edits.size();) {
      Recipe smaller = recipe;
      if (!better(edits[i], smaller)) {
        ++i;
        continue;
      }
      recipe = std::move(smaller);
      shrank = true;
      edits = Edits(recipe).all();  // those before this one are tried again in the next round
    }
  }
  return recipe;
}

}  // namespace tessera::test
