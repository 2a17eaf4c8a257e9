// The rules of Poplar that random recipes must keep: docs/user/api.md, "When errors show".
#include <map>

#include "tests/compiler/random_graphs/codelets.h"
#include "tests/compiler/random_graphs/interpreter.h"
#include "tests/compiler/random_graphs/view_elements.h"

namespace tessera::test {
namespace {

void require(bool good, const char* what) {
  if (!good) throw Invalid(what);
}

void check_written(const Recipe& recipe, const Shown& shown) {
  require(!has_aliases(shown), "an element written twice");
  for (const index_model::Element& e : shown.elements) require(!recipe.variables[e.variable].constant, "a constant");
}

class CheckSteps {
 public:
  CheckSteps(const Recipe& recipe, std::size_t callable) : recipe_(recipe), callable_(callable) {}

  void body(const Body& steps) const {
    for (const Step& step : steps) {
      one(step);
      for (const Body& inside : step.bodies) body(inside);
    }
  }

 private:
  void one(const Step& step) const {
    std::vector<Shown> shown;
    for (const View& view : step.views) shown.push_back(show(recipe_, view));
    const auto shape = [&](std::size_t views, std::size_t bodies) {
      require(shown.size() == views && step.bodies.size() == bodies, "shape of a step");
    };
    switch (step.is) {
      case Step::Is::kCopy:
        shape(2, 0);
        require(shown[0].kind == shown[1].kind, "types of a copy");
        require(shown[0].elements.size() == shown[1].elements.size(), "sizes of a copy");
        require(!overlap(shown[0], shown[1]), "a copy over itself");
        return check_written(recipe_, shown[1]);
      case Step::Is::kExecute:
        require(step.number < recipe_.compute_sets.size() && shown.size() < 2, "compute set");
        if (shown.empty()) return;
        check_predicate(shown[0]);
        for (const Vertex& vertex : recipe_.compute_sets[step.number].vertices) check_leaves(shown[0], vertex);
        return check_written(recipe_, shown[0]);
      case Step::Is::kFromStream:
      case Step::Is::kToStream: {
        shape(1, 0);
        require(step.number < recipe_.streams.size(), "stream");
        const Stream& stream = recipe_.streams[step.number];
        require(stream.to_device == (step.is == Step::Is::kFromStream), "direction of a stream");
        require(stream.kind == shown[0].kind && stream.elements == shown[0].elements.size(), "size of a transfer");
        return stream.to_device ? check_written(recipe_, shown[0]) : void();
      }
      case Step::Is::kWriteUndef:
        shape(1, 0);
        return check_written(recipe_, shown[0]);
      case Step::Is::kSync:
        return require(step.number < 3, "sync");
      case Step::Is::kAbortIf:
        shape(1, 0);
        return check_predicate(shown[0]);
      case Step::Is::kCall:
        return require(step.number < callable_, "function");
      case Step::Is::kRepeat:
      case Step::Is::kSequence:
        return shape(0, 1);
      case Step::Is::kWhileTrue:
      case Step::Is::kWhileFalse:
      case Step::Is::kIf:
        shape(1, 2);
        return check_predicate(shown[0]);
      case Step::Is::kSwitch:
        shape(1, step.cases.size() + 1);
        require(std::set<int>(step.cases.begin(), step.cases.end()).size() == step.cases.size(), "cases");
        require(shown[0].elements.size() == 1, "size of a selector");
        return require(shown[0].kind == Kind::kInt || shown[0].kind == Kind::kUnsigned, "type of a selector");
    }
  }

  void check_leaves(const Shown& predicate, const Vertex& vertex) const {
    for (std::size_t f = 0; f < vertex.edges.size(); ++f)
      for (const View& view : vertex.edges[f])
        require(codelet(vertex.codelet).fields[f].access == Access::kInput || !overlap(predicate, show(recipe_, view)),
                "a predicate that a vertex writes");
  }

  static void check_predicate(const Shown& shown) {
    require(shown.elements.size() == 1, "size of a predicate");
    require(!is_floating(shown.kind) && info(shown.kind).bytes <= 4, "type of a predicate");
  }

  const Recipe& recipe_;
  std::size_t callable_;
};

void check_variable(const Recipe& recipe, const Variable& variable) {
  std::size_t mapped = 0;
  for (const Piece& piece : variable.mapping) {
    mapped += piece.elements;
    require(piece.elements > 0 && piece.tile < recipe.tiles, "mapping");
  }
  const std::size_t n = count(variable.shape);
  require(mapped == n, "mapping");
  const std::size_t values = variable.values.size();
  require(values == n || values == 1 || (values == 0 && !variable.constant), "values");
}

}  // namespace

void check_compute_set(const Recipe& recipe, const ComputeSet& set) {
  struct Users {
    const Vertex* writer = nullptr;
    const Vertex* user = nullptr;
  };
  std::map<index_model::Element, Users> users;
  for (const Vertex& vertex : set.vertices) {
    const Codelet& does = codelet(vertex.codelet);
    require(vertex.tile < recipe.tiles, "tile of a vertex");
    require(vertex.edges.size() == does.fields.size(), "fields");
    require(vertex.state.size() == (does.state != nullptr ? 1 : 0), "state");
    Lengths lengths;
    for (std::size_t f = 0; f < does.fields.size(); ++f) {
      const Field& field = does.fields[f];
      const bool scalar = field.arity == Arity::kScalar || field.arity == Arity::kScalarList;
      lengths.emplace_back();
      require(is_list(field) ? !vertex.edges[f].empty() : vertex.edges[f].size() == 1, "edges");
      for (const View& view : vertex.edges[f]) {
        const Shown shown = show(recipe, view);
        lengths.back().push_back(shown.elements.size());
        require(shown.kind == kind_of(field, vertex.kind), "type of an edge");
        require(scalar ? shown.elements.size() == 1 : shown.shape.size() == 1, "shape of an edge");
        const bool written = field.access != Access::kInput;
        if (written) check_written(recipe, shown);
        for (const index_model::Element& e : shown.elements) {
          if (recipe.variables[e.variable].constant) continue;
          Users& of = users[e];
          require(of.writer == nullptr && (!written || of.user == nullptr), "an element that two vertices want");
          of.user = &vertex;
          if (written) of.writer = &vertex;
        }
      }
    }
    require(does.fits(lengths), "sizes of edges");
  }
}

void check(const Recipe& recipe) {
  for (const Variable& variable : recipe.variables) check_variable(recipe, variable);
  for (const Initial& initial : recipe.initials) {
    const Shown shown = show(recipe, initial.view);
    check_written(recipe, shown);
    require(initial.values.size() == shown.elements.size(), "initial values");
  }
  for (const ComputeSet& set : recipe.compute_sets) check_compute_set(recipe, set);
  for (const Stream& stream : recipe.streams) {
    require(stream.elements > 0 && stream.values.size() % stream.elements == 0, "size of a stream");
    require(stream.values.empty() != stream.to_device, "values of a stream");
  }
  for (const Handle& handle : recipe.handles) {
    const Shown shown = show(recipe, handle.view);
    if (handle.write) check_written(recipe, shown);
  }
  for (std::size_t f = 0; f < recipe.functions.size(); ++f) CheckSteps(recipe, f).body(recipe.functions[f]);
  require(!recipe.programs.empty(), "programs");
  for (const Body& program : recipe.programs) CheckSteps(recipe, recipe.functions.size()).body(program);
  for (const HostAction& action : recipe.actions) {
    if (action.is == HostAction::Is::kLoad) continue;
    const bool run = action.is == HostAction::Is::kRun;
    require(action.number < (run ? recipe.programs.size() : recipe.handles.size()), "action");
    if (run) continue;
    const Handle& handle = recipe.handles[action.number];
    const bool write = action.is == HostAction::Is::kWrite;
    require(handle.write == write, "handle");
    require(!write || action.values.size() == show(recipe, handle.view).elements.size(), "values of a handle");
  }
}

}  // namespace tessera::test
