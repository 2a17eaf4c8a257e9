#include "tests/compiler/random_graphs/print_cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/compiler/random_graphs/codelets.h"
#include "tests/compiler/random_graphs/view_elements.h"

namespace tessera::test {
namespace {

template <class List>
std::string joined(const List& list) {
  std::string text;
  for (const auto& one : list) text += (text.empty() ? "" : ", ") + fmt::format("{}", one);
  return text;
}

std::string braced(const std::vector<std::size_t>& numbers) { return "{" + joined(numbers) + "}"; }

std::string literals(Kind kind, const Values& values) {
  std::vector<std::string> all;
  for (const std::uint64_t bits : values) all.push_back(literal(kind, bits));
  return joined(all);
}

std::string array(Kind kind, const Values& values) {
  return fmt::format("ArrayRef<{}>({{{}}})", info(kind).host, literals(kind, values));
}

std::string print(const ViewOp& op) {
  const std::string all = joined(op.at);
  switch (op.is) {
    case ViewOp::Is::kSlice:
      return ".slice(" + all + ")";
    case ViewOp::Is::kIndex:
      return "[" + all + "]";
    case ViewOp::Is::kReshape:
      return ".reshape(" + braced(op.at) + ")";
    case ViewOp::Is::kFlatten:
      return ".flatten()";
    case ViewOp::Is::kDimShuffle:
      return ".dimShuffle(" + braced(op.at) + ")";
    case ViewOp::Is::kBroadcast:
      return ".broadcast(" + all + ")";
    case ViewOp::Is::kUpsample:
      return ".upsample(" + all + ")";
    case ViewOp::Is::kSubSample:
      return ".subSample(" + all + ")";
    case ViewOp::Is::kReverse:
      return ".reverse(" + all + ")";
    case ViewOp::Is::kExpand:
      return ".expand(" + braced(op.at) + ")";
    case ViewOp::Is::kSqueeze:
      return ".squeeze(" + braced(op.at) + ")";
    case ViewOp::Is::kReinterpret:
      return fmt::format(".reinterpret({})", info(static_cast<Kind>(op.at[0])).api);
    case ViewOp::Is::kConcat:
      break;
  }
  return "?";
}

// Steps, each on lines of its own.
class StepPrinter {
 public:
  std::string sequence(const Body& body, unsigned depth) const {
    if (body.empty()) return "Sequence()";
    const std::string indent(2 * depth + 2, ' ');
    std::string text = "Sequence{\n";
    for (const Step& step : body) text += indent + one(step, depth + 1) + (&step == &body.back() ? "}" : ",\n");
    return text;
  }

 private:
  std::string one(const Step& step, unsigned depth) const {
    const auto view = [&](std::size_t i) { return print(step.views.at(i)); };
    const auto inside = [&](std::size_t i) { return sequence(step.bodies.at(i), depth); };
    switch (step.is) {
      case Step::Is::kCopy:
        return fmt::format("Copy({}, {})", view(0), view(1));
      case Step::Is::kExecute:
        return step.views.empty() ? fmt::format("Execute(c{})", step.number)
                                  : fmt::format("Execute(c{}, {})", step.number, view(0));
      case Step::Is::kFromStream:
        return fmt::format("Copy(s{}, {})", step.number, view(0));
      case Step::Is::kToStream:
        return fmt::format("Copy({}, s{})", view(0), step.number);
      case Step::Is::kWriteUndef:
        return fmt::format("WriteUndef({})", view(0));
      case Step::Is::kSync:
        return fmt::format("Sync(SyncType::{})", std::vector{"INTERNAL", "EXTERNAL", "GLOBAL"}.at(step.number));
      case Step::Is::kAbortIf:
        return fmt::format("AbortOnCondition({})", view(0));
      case Step::Is::kCall:
        return fmt::format("Call(f{})", step.number);
      case Step::Is::kRepeat:
        return fmt::format("Repeat({}, {})", step.number, inside(0));
      case Step::Is::kWhileTrue:
        return fmt::format("RepeatWhileTrue({}, {}, {})", inside(0), view(0), inside(1));
      case Step::Is::kWhileFalse:
        return fmt::format("RepeatWhileFalse({}, {}, {})", inside(0), view(0), inside(1));
      case Step::Is::kIf:
        return fmt::format("If({}, {}, {})", view(0), inside(0), inside(1));
      case Step::Is::kSwitch: {
        std::string text = fmt::format("Switch({}, {})", view(0), inside(step.cases.size()));
        for (std::size_t i = 0; i < step.cases.size(); ++i)
          text += fmt::format(".add({}, {})", step.cases[i], inside(i));
        return text;
      }
      case Step::Is::kSequence:
        return inside(0);
    }
    return "?";
  }
};

std::string print_variables(const Recipe& recipe) {
  std::string text;
  for (std::size_t v = 0; v < recipe.variables.size(); ++v) {
    const Variable& variable = recipe.variables[v];
    const KindInfo& kind = info(variable.kind);
    const std::string shape = braced(variable.shape);
    if (variable.constant)
      text += fmt::format("Tensor v{0} = graph.addConstant({1}, {2}, {3}, \"v{0}\");\n", v, kind.api, shape,
                          array(variable.kind, variable.values));
    else
      text += fmt::format("Tensor v{0} = graph.addVariable({1}, {2}, \"v{0}\");\n", v, kind.api, shape);
    std::size_t at = 0;
    for (const Piece& piece : variable.mapping) {
      const std::string part = piece.elements == count(variable.shape)
                                   ? ""
                                   : fmt::format(".flatten().slice({}, {})", at, at + piece.elements);
      text += fmt::format("graph.setTileMapping(v{}{}, {});\n", v, part, piece.tile);
      at += piece.elements;
    }
    if (!variable.constant && !variable.values.empty())
      text += fmt::format("graph.setInitialValue(v{}, {});\n", v, array(variable.kind, variable.values));
    if (variable.read_at_end) text += fmt::format("graph.createHostRead(\"v{0}\", v{0});\n", v);
  }
  for (const Initial& initial : recipe.initials)
    text += fmt::format("graph.setInitialValue({}, {});\n", print(initial.view),
                        array(show(recipe, initial.view).kind, initial.values));
  return text;
}

std::string print_vertex(const Vertex& vertex, const std::string& name, std::size_t set) {
  const Codelet& does = codelet(vertex.codelet);
  std::string text = fmt::format("VertexRef {} = graph.addVertex(c{}, \"{}\");\n", name, set,
                                 vertex_name({vertex.codelet, vertex.kind}));
  for (std::size_t f = 0; f < does.fields.size(); ++f) {
    std::vector<std::string> edges;
    for (const View& view : vertex.edges[f]) edges.push_back(print(view));
    const std::string to = is_list(does.fields[f]) ? "std::vector<Tensor>{" + joined(edges) + "}" : edges.at(0);
    text += fmt::format("graph.connect({}[\"{}\"], {});\n", name, does.fields[f].name, to);
  }
  if (does.state != nullptr)
    text += fmt::format("graph.setInitialValue({}[\"{}\"], {});\n", name, does.state,
                        literal(vertex.kind, vertex.state.at(0)));
  return text + fmt::format("graph.setTileMapping({}, {});\n", name, vertex.tile);
}

std::string print_host(const Recipe& recipe, const Interpretation& wanted) {
  std::string text;
  auto next = wanted.seen.begin();
  const auto compare = [&](const std::string& found) {
    Values bits;
    std::string known;
    for (const Element& e : next->elements) {
      bits.push_back(e.bits);
      known += e.known ? 'x' : '?';
    }
    if (known.find('?') == std::string::npos) known.clear();
    text += fmt::format("compare<{}>(\"{}\", {}, {{{}}}{});\n", info(next->kind).host, next->what, found,
                        literals(next->kind, bits), known.empty() ? "" : ", \"" + known + "\"");
    ++next;
  };
  const auto read = [&](const std::string& handle) {
    compare(fmt::format("read<{}>(engine, \"{}\", {})", info(next->kind).host, handle, next->elements.size()));
  };
  for (std::size_t s = 0; s < recipe.streams.size(); ++s) {
    const Stream& stream = recipe.streams[s];
    std::string values = "{" + literals(stream.kind, stream.values) + "}";
    for (const Observation& one : wanted.seen)
      if (one.what == "s" + std::to_string(s))
        values = fmt::format("({}, never<{}>())", one.elements.size(), info(one.kind).host);
    text += fmt::format(
        "std::vector<{0}> data{1}{2};\nengine.connectStream(\"s{1}\", data{1}.data(), data{1}.data() + "
        "data{1}.size());\n",
        info(stream.kind).host, s, values);
  }
  for (const HostAction& action : recipe.actions) {
    const std::string handle = "h" + std::to_string(action.number);
    if (action.is == HostAction::Is::kLoad) text += "engine.load(device);\n";
    if (action.is == HostAction::Is::kRun) text += fmt::format("engine.run({});\n", action.number);
    if (action.is == HostAction::Is::kRead) read(handle);
    if (action.is == HostAction::Is::kWrite)
      text += fmt::format("write(engine, \"{}\", std::vector<{}>{{{}}});\n", handle,
                          info(show(recipe, recipe.handles[action.number].view).kind).host,
                          literals(show(recipe, recipe.handles[action.number].view).kind, action.values));
  }
  for (std::size_t v = 0; v < recipe.variables.size(); ++v)
    if (recipe.variables[v].read_at_end) read("v" + std::to_string(v));
  while (next != wanted.seen.end()) compare("data" + next->what.substr(1));
  return text;
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    result += "  " + text.substr(at, end - at + 1);
    at = end + 1;
  }
  return result;
}

constexpr const char* kHost = R"(#include <cstdint>
#include <cstdio>
#include <cstring>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <vector>

using namespace poplar;
using namespace poplar::program;

static int wrong = 0;

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
T never() {
  return from_bits<T>(0xa5a5a5a5a5a5a5a5);
}

// The elements' bits; '?' in `known` stands for any.
template <class T>
void compare(const char* what, const std::vector<T>& found, const std::vector<T>& wanted, const char* known = nullptr) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if ((known != nullptr && known[i] == '?') || std::memcmp(&found[i], &wanted[i], sizeof(T)) == 0) continue;
    std::printf("%s: element %zu is %.9g, not %.9g\n", what, i, double(found[i]), double(wanted[i]));
    wrong = 1;
  }
}

template <class T>
std::vector<T> read(Engine& engine, const char* handle, std::size_t elements) {
  std::vector<T> found(elements);
  engine.readTensor(handle, found.data(), found.data() + elements);
  return found;
}

template <class T>
void write(Engine& engine, const char* handle, const std::vector<T>& values) {
  engine.writeTensor(handle, values.data(), values.data() + values.size());
}

)";

}  // namespace

std::string print(const View& view) {
  std::string text = "v" + std::to_string(view.variable);
  for (const ViewOp& op : view.ops)
    text = op.is == ViewOp::Is::kConcat ? fmt::format("concat({}, {}, {})", text, print(op.other.at(0)), op.at[0])
                                        : text + print(op);
  return text;
}

std::string print_graph(const Recipe& recipe) {
  std::string text = print_variables(recipe);
  unsigned vertices = 0;
  for (std::size_t s = 0; s < recipe.compute_sets.size(); ++s) {
    text += fmt::format("ComputeSet c{0} = graph.addComputeSet(\"c{0}\");\n", s);
    for (const Vertex& vertex : recipe.compute_sets[s].vertices)
      text += print_vertex(vertex, "x" + std::to_string(vertices++), s);
  }
  for (std::size_t s = 0; s < recipe.streams.size(); ++s)
    text += fmt::format("DataStream s{0} = graph.add{1}FIFO(\"s{0}\", {2}, {3});\n", s,
                        recipe.streams[s].to_device ? "HostToDevice" : "DeviceToHost", info(recipe.streams[s].kind).api,
                        recipe.streams[s].elements);
  for (std::size_t h = 0; h < recipe.handles.size(); ++h)
    text += fmt::format("graph.createHost{}(\"h{}\", {});\n", recipe.handles[h].write ? "Write" : "Read", h,
                        print(recipe.handles[h].view));
  for (std::size_t f = 0; f < recipe.functions.size(); ++f)
    text += fmt::format("Function f{} = graph.addFunction({});\n", f, StepPrinter().sequence(recipe.functions[f], 0));
  for (std::size_t p = 0; p < recipe.programs.size(); ++p)
    text += fmt::format("Sequence p{} = {};\n", p, StepPrinter().sequence(recipe.programs[p], 0));
  return text;
}

std::string print_cpp(const Recipe& recipe, const Interpretation& wanted, const OptionSet& options) {
  std::set<Instance> used;
  for (const ComputeSet& set : recipe.compute_sets)
    for (const Vertex& vertex : set.vertices) used.insert({vertex.codelet, vertex.kind});
  std::string flags, programs;
  for (const auto& [key, value] : options.options)
    flags += fmt::format("{}{{\"{}\", \"{}\"}}", flags.empty() ? "" : ", ", key, value);
  for (std::size_t p = 0; p < recipe.programs.size(); ++p) programs += fmt::format("{}p{}", p == 0 ? "" : ", ", p);

  std::string text;
  if (!used.empty()) text += "#ifdef __POPC__\n" + codelet_source(used) + "#else\n";
  text += kHost;
  text += "int main() {\n";
  std::string body = fmt::format(
      "Device device = IPUModel(\"{}\").createDevice();\ndevice.attach();\n"
      "Graph graph(device.getTarget());\n",
      recipe.machine);
  if (!used.empty())
    body += fmt::format("graph.addCodelets(__FILE__, CodeletFileType::Auto, \"{}\");\n", kCodeletFlags);
  body += print_graph(recipe);
  body += fmt::format("Engine engine(graph, std::vector<Program>{{{}}}{});\nengine.load(device);\n", programs,
                      flags.empty() ? "" : ", {" + flags + "}");
  body += print_host(recipe, wanted);
  text += indented(body + "return wrong;\n") + "}\n";
  if (!used.empty()) text += "#endif\n";
  return text;
}

}  // namespace tessera::test
