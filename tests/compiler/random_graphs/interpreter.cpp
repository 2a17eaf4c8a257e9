#include "tests/compiler/random_graphs/interpreter.h"

#include <algorithm>
#include <map>

#include "tests/compiler/random_graphs/codelets.h"
#include "tests/compiler/random_graphs/view_elements.h"

namespace tessera::test {
namespace {

constexpr unsigned kMostSteps = 400;

const char* name_of(Step::Is is) {
  switch (is) {
    case Step::Is::kCopy:
      return "Copy";
    case Step::Is::kExecute:
      return "Execute";
    case Step::Is::kFromStream:
      return "Copy from a stream";
    case Step::Is::kToStream:
      return "Copy to a stream";
    case Step::Is::kWriteUndef:
      return "WriteUndef";
    case Step::Is::kSync:
      return "Sync";
    case Step::Is::kAbortIf:
      return "AbortOnCondition";
    case Step::Is::kCall:
      return "Call";
    case Step::Is::kRepeat:
      return "Repeat";
    case Step::Is::kWhileTrue:
      return "RepeatWhileTrue";
    case Step::Is::kWhileFalse:
      return "RepeatWhileFalse";
    case Step::Is::kIf:
      return "If";
    case Step::Is::kSwitch:
      return "Switch";
    case Step::Is::kSequence:
      return "Sequence";
  }
  return "?";
}

class Interpreter {
 public:
  explicit Interpreter(const Recipe& recipe) : recipe_(recipe), transfers_(recipe.streams.size()) {
    load();
    for (const Stream& stream : recipe.streams) streams_.push_back({"", stream.kind, {}});
  }

  void load() {
    states_.clear();
    memory_.clear();
    for (const Variable& variable : recipe_.variables) {
      std::vector<Element> elements(count(variable.shape));
      for (std::size_t i = 0; i < elements.size() && !variable.values.empty(); ++i)
        elements[i] = {variable.values[variable.values.size() == 1 ? 0 : i], true};
      memory_.push_back(std::move(elements));
    }
    for (const Initial& initial : recipe_.initials) write(initial.view, known(initial.values));
  }

  Interpretation run() {
    for (std::size_t i = 0; i < recipe_.actions.size(); ++i) act(i);
    for (std::size_t v = 0; v < recipe_.variables.size(); ++v)
      if (recipe_.variables[v].read_at_end)
        result_.seen.push_back({"v" + std::to_string(v), recipe_.variables[v].kind, memory_[v]});
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (recipe_.streams[s].to_device) continue;
      Observation& all = streams_[s];
      all.what = "s" + std::to_string(s);
      // Nothing comes after the last transfer.
      const Values untouched = from_bytes(
          all.kind, std::vector<std::uint8_t>(recipe_.streams[s].elements * info(all.kind).bytes, kNeverWritten));
      for (const std::uint64_t bits : untouched) all.elements.push_back({bits, true});
      result_.seen.push_back(std::move(all));
    }
    return std::move(result_);
  }

 private:
  static std::vector<Element> known(const Values& values) {
    std::vector<Element> elements;
    for (const std::uint64_t bits : values) elements.push_back({bits, true});
    return elements;
  }

  std::vector<Element> read(const View& view) const {
    std::vector<Element> elements;
    for (const index_model::Element& e : show(recipe_, view).elements)
      elements.push_back(memory_[e.variable][e.element]);
    return elements;
  }

  void write(const View& view, const std::vector<Element>& elements) {
    auto from = elements.begin();
    for (const index_model::Element& e : show(recipe_, view).elements) memory_[e.variable][e.element] = *from++;
  }

  void copy(const View& from, const View& to) {
    const std::vector<Element> elements = read(from);
    for (const Element& element : elements) result_.reads_undefined = result_.reads_undefined || !element.known;
    write(to, elements);
  }

  std::uint64_t decide(const View& view) const {
    const Element element = read(view).at(0);
    if (!element.known) throw Invalid("control flow follows what nobody knows");
    return element.bits;
  }

  void act(std::size_t i) {
    const HostAction& action = recipe_.actions[i];
    switch (action.is) {
      case HostAction::Is::kRun:
        return run(recipe_.programs[action.number]);
      case HostAction::Is::kLoad:
        return load();
      case HostAction::Is::kWrite:
        return write(recipe_.handles[action.number].view, known(action.values));
      case HostAction::Is::kRead: {
        const View& view = recipe_.handles[action.number].view;
        const std::string what = "h" + std::to_string(action.number) + " in action " + std::to_string(i);
        result_.seen.push_back({what, show(recipe_, view).kind, read(view)});
      }
    }
  }

  void run(const Body& body) {
    for (const Step& step : body) {
      if (++steps_ > kMostSteps) throw Invalid("too many steps");
      result_.reached.insert(name_of(step.is));
      run(step);
    }
  }

  void run(const Step& step) {
    switch (step.is) {
      case Step::Is::kCopy:
        return copy(step.views[0], step.views[1]);
      case Step::Is::kExecute: {
        const Element all = execute(step.number);
        if (step.views.empty()) return;
        result_.reached.insert("Execute with a predicate");
        return write(step.views[0], {all});
      }
      case Step::Is::kFromStream: {
        const Stream& stream = recipe_.streams[step.number];
        std::vector<Element> elements;
        for (std::size_t k = 0; k < stream.elements; ++k)
          elements.push_back({stream.values[transfers_[step.number]++ % stream.values.size()], true});
        return write(step.views[0], elements);
      }
      case Step::Is::kToStream: {
        std::vector<Element>& sent = streams_[step.number].elements;
        const std::vector<Element> elements = read(step.views[0]);
        sent.insert(sent.end(), elements.begin(), elements.end());
        return;
      }
      case Step::Is::kWriteUndef:
        return write(step.views[0], std::vector<Element>(read(step.views[0]).size()));
      case Step::Is::kSync:
        return;
      case Step::Is::kAbortIf:
        if (decide(step.views[0]) != 0) throw Invalid("an abort");
        return;
      case Step::Is::kCall:
        return run(recipe_.functions[step.number]);
      case Step::Is::kRepeat:
        for (unsigned k = 0; k < step.number; ++k) run(step.bodies[0]);
        return;
      case Step::Is::kWhileTrue:
      case Step::Is::kWhileFalse:
        for (;;) {
          if (++steps_ > kMostSteps) throw Invalid("too many steps");
          run(step.bodies[0]);
          if ((decide(step.views[0]) != 0) != (step.is == Step::Is::kWhileTrue)) return;
          run(step.bodies[1]);
        }
      case Step::Is::kIf:
        return run(step.bodies[decide(step.views[0]) != 0 ? 0 : 1]);
      case Step::Is::kSwitch: {
        const auto selector = static_cast<std::int32_t>(decide(step.views[0]));
        const auto found = std::find(step.cases.begin(), step.cases.end(), selector);
        result_.reached.insert(found == step.cases.end() ? "the default of a Switch" : "a case of a Switch");
        return run(step.bodies[static_cast<std::size_t>(found - step.cases.begin())]);
      }
      case Step::Is::kSequence:
        return run(step.bodies[0]);
    }
  }

  // No vertex touches what another one writes, so they may run one after another. Gives whether all returned true.
  Element execute(unsigned set) {
    Element all{1, true};
    for (const Vertex& vertex : recipe_.compute_sets[set].vertices) {
      const Element result = execute(vertex);
      if (!result.known) result_.reads_undefined = true;
      all.bits &= result.bits;
      all.known = all.known && result.known;
    }
    return all;
  }

  // Where an input is unknown, so is everything that the vertex writes.
  Element execute(const Vertex& vertex) {
    const Codelet& does = codelet(vertex.codelet);
    result_.reached.insert(vertex_name({vertex.codelet, vertex.kind}));
    bool all_known = true;
    Edges edges;
    for (std::size_t f = 0; f < does.fields.size(); ++f) {
      edges.emplace_back();
      for (const View& view : vertex.edges[f]) {
        edges.back().emplace_back();
        for (const Element& element : read(view)) {
          edges.back().back().push_back(element.bits);
          all_known = all_known && (element.known || does.fields[f].access == Access::kOutput);
        }
      }
    }
    Values& state = states_.try_emplace(&vertex, vertex.state).first->second;
    const bool result = does.compute(vertex.kind, edges, state);
    for (std::size_t f = 0; f < does.fields.size(); ++f) {
      if (does.fields[f].access == Access::kInput) continue;
      for (std::size_t k = 0; k < vertex.edges[f].size(); ++k) {
        std::vector<Element> written = known(edges[f][k]);
        for (Element& element : written) element.known = all_known;
        write(vertex.edges[f][k], written);
      }
    }
    return {result ? std::uint64_t{1} : 0, all_known};
  }

  const Recipe& recipe_;
  std::vector<std::vector<Element>> memory_;  // of each variable
  std::map<const Vertex*, Values> states_;    // of the vertices that ran
  std::vector<std::size_t> transfers_;        // elements that each stream has brought
  std::vector<Observation> streams_;
  unsigned steps_ = 0;
  Interpretation result_;
};

}  // namespace

Interpretation interpret(const Recipe& recipe) {
  check(recipe);
  return Interpreter(recipe).run();
}

}  // namespace tessera::test
