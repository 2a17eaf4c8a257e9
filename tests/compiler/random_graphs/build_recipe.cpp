#include "tests/compiler/random_graphs/build_recipe.h"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>
#include <stdexcept>

#include "tests/compiler/random_graphs/codelets.h"
#include "tests/compiler/random_graphs/view_elements.h"

namespace tessera::test {
namespace {

using namespace poplar;
using namespace poplar::program;

class Builder {
 public:
  Builder(const Recipe& recipe, const Target& target) : recipe_(recipe), graph(target) {
    std::stringstream source(codelet_source({instances().begin(), instances().end()}));
    graph.addCodelets(source, kCodeletFlags);
    for (std::size_t v = 0; v < recipe.variables.size(); ++v) variables_.push_back(variable(v));
    for (const Initial& initial : recipe.initials)
      set_initial(tensor(initial.view), show(recipe, initial.view).kind, initial.values);
    for (std::size_t s = 0; s < recipe.compute_sets.size(); ++s) {
      sets_.push_back(graph.addComputeSet("c" + std::to_string(s)));
      for (const Vertex& vertex : recipe.compute_sets[s].vertices) add_vertex(sets_.back(), vertex);
    }
    for (std::size_t s = 0; s < recipe.streams.size(); ++s) {
      const Stream& stream = recipe.streams[s];
      const std::string name = "s" + std::to_string(s);
      const Type type = info(stream.kind).type;
      streams_.push_back(stream.to_device ? graph.addHostToDeviceFIFO(name, type, stream.elements)
                                          : graph.addDeviceToHostFIFO(name, type, stream.elements));
    }
    for (std::size_t h = 0; h < recipe.handles.size(); ++h) {
      const Tensor shown = tensor(recipe.handles[h].view);
      const std::string name = "h" + std::to_string(h);
      recipe.handles[h].write ? graph.createHostWrite(name, shown) : graph.createHostRead(name, shown);
    }
    for (const Body& function : recipe.functions) functions_.push_back(graph.addFunction(sequence(function)));
    for (const Body& program : recipe.programs) programs.push_back(sequence(program));
  }

 private:
  const Recipe& recipe_;

 public:
  Graph graph;
  std::vector<Program> programs;

 private:
  Tensor variable(std::size_t number) {
    const Variable& variable = recipe_.variables[number];
    const std::string name = "v" + std::to_string(number);
    const KindInfo& kind = info(variable.kind);
    const std::vector<std::uint8_t> bytes = to_bytes(variable.kind, variable.values);
    Tensor made = variable.constant ? graph.addConstant(kind.type, variable.shape, bytes.data(), kind.traits,
                                                        variable.values.size() == 1, name)
                                    : graph.addVariable(kind.type, variable.shape, name);
    std::size_t at = 0;
    for (const Piece& piece : variable.mapping) {
      graph.setTileMapping(made.flatten().slice(at, at + piece.elements), piece.tile);
      at += piece.elements;
    }
    if (!variable.constant && !variable.values.empty()) set_initial(made, variable.kind, variable.values);
    if (variable.read_at_end) graph.createHostRead(name, made);
    return made;
  }

  void set_initial(const Tensor& tensor, Kind kind, const Values& values) {
    const std::vector<std::uint8_t> bytes = to_bytes(kind, values);
    graph.setInitialValue(tensor, bytes.data(), values.size(), info(kind).traits);
  }

  Tensor tensor(const View& view) const {
    Tensor t = variables_.at(view.variable);
    for (const ViewOp& op : view.ops) t = applied(t, op);
    return t;
  }

  Tensor applied(const Tensor& t, const ViewOp& op) const {
    const std::vector<std::size_t>& at = op.at;
    const auto number = [&](std::size_t i) { return static_cast<unsigned>(at.at(i)); };
    switch (op.is) {
      case ViewOp::Is::kSlice:
        return t.slice(at[0], at[1], number(2));
      case ViewOp::Is::kIndex:
        return t[at[0]];
      case ViewOp::Is::kReshape:
        return t.reshape(at);
      case ViewOp::Is::kFlatten:
        return t.flatten();
      case ViewOp::Is::kDimShuffle:
        return t.dimShuffle(std::vector<unsigned>(at.begin(), at.end()));
      case ViewOp::Is::kBroadcast:
        return t.broadcast(number(0), number(1));
      case ViewOp::Is::kUpsample:
        return t.upsample(number(0), number(1));
      case ViewOp::Is::kSubSample:
        return t.subSample(number(0), number(1));
      case ViewOp::Is::kReverse:
        return t.reverse(number(0));
      case ViewOp::Is::kExpand:
        return t.expand({at[0]});
      case ViewOp::Is::kSqueeze:
        return t.squeeze({at[0]});
      case ViewOp::Is::kConcat:
        return concat(t, tensor(op.other.at(0)), number(0));
      case ViewOp::Is::kReinterpret:
        return t.reinterpret(info(static_cast<Kind>(at[0])).type);
    }
    throw std::logic_error("operation");
  }

  void add_vertex(poplar::ComputeSet set, const Vertex& vertex) {
    const Codelet& does = codelet(vertex.codelet);
    VertexRef made = graph.addVertex(set, vertex_name({vertex.codelet, vertex.kind}));
    for (std::size_t f = 0; f < does.fields.size(); ++f) {
      std::vector<Tensor> edges;
      for (const View& view : vertex.edges[f]) edges.push_back(tensor(view));
      const FieldRef field = made[does.fields[f].name];
      is_list(does.fields[f]) ? graph.connect(field, edges) : graph.connect(field, edges.at(0));
    }
    if (does.state != nullptr) {
      const std::vector<std::uint8_t> bytes = to_bytes(vertex.kind, vertex.state);
      graph.setInitialValue(made[does.state], bytes.data(), 1, info(vertex.kind).traits);
    }
    graph.setTileMapping(made, vertex.tile);
  }

  Sequence sequence(const Body& body) const {
    Sequence steps;
    for (const Step& step : body) steps.add(program(step));
    return steps;
  }

  Program program(const Step& step) const {
    const auto view = [&](std::size_t i) { return tensor(step.views.at(i)); };
    const auto inside = [&](std::size_t i) { return sequence(step.bodies.at(i)); };
    switch (step.is) {
      case Step::Is::kCopy:
        return Copy(view(0), view(1));
      case Step::Is::kExecute:
        return step.views.empty() ? Execute(sets_[step.number]) : Execute(sets_[step.number], view(0));
      case Step::Is::kFromStream:
        return Copy(streams_[step.number], view(0));
      case Step::Is::kToStream:
        return Copy(view(0), streams_[step.number]);
      case Step::Is::kWriteUndef:
        return WriteUndef(view(0));
      case Step::Is::kSync:
        return Sync(static_cast<SyncType>(step.number));
      case Step::Is::kAbortIf:
        return AbortOnCondition(view(0));
      case Step::Is::kCall:
        return Call(functions_[step.number]);
      case Step::Is::kRepeat:
        return Repeat(step.number, inside(0));
      case Step::Is::kWhileTrue:
        return RepeatWhileTrue(inside(0), view(0), inside(1));
      case Step::Is::kWhileFalse:
        return RepeatWhileFalse(inside(0), view(0), inside(1));
      case Step::Is::kIf:
        return If(view(0), inside(0), inside(1));
      case Step::Is::kSwitch: {
        Switch chosen(view(0), inside(step.cases.size()));
        for (std::size_t i = 0; i < step.cases.size(); ++i) chosen.add(step.cases[i], inside(i));
        return chosen;
      }
      case Step::Is::kSequence:
        return inside(0);
    }
    throw std::logic_error("step");
  }

  std::vector<Tensor> variables_;
  std::vector<poplar::ComputeSet> sets_;
  std::vector<DataStream> streams_;
  std::vector<Function> functions_;
};

std::vector<Element> known(Kind kind, const std::vector<std::uint8_t>& bytes) {
  std::vector<Element> elements;
  for (const std::uint64_t bits : from_bytes(kind, bytes)) elements.push_back({bits, true});
  return elements;
}

}  // namespace

const std::vector<OptionSet>& option_sets() {
  static const std::vector<OptionSet> sets = {
      {"default", {}},
      {"nothing optimised",
       {{"tessera.mergePhases", "false"},
        {"tessera.mergeHostPhases", "false"},
        {"tessera.shareMemory", "false"},
        {"tessera.outlineCode", "false"},
        {"opt.enableSkipSyncs", "false"},
        {"tessera.tileText", "false"},
        {"tessera.pairTransfers", "false"},
        {"tessera.viewCopies", "false"},
        {"tessera.shareConstants", "false"}}},
      {"no merged phases", {{"tessera.mergePhases", "false"}}},
      {"no merged host phases", {{"tessera.mergeHostPhases", "false"}}},
      {"own memory for each variable", {{"tessera.shareMemory", "false"}}},
      {"straight code", {{"tessera.outlineCode", "false"}}},
      {"smallest code", {{"tessera.outlineCode", "smallest"}}},
      {"every tile at every sync", {{"opt.enableSkipSyncs", "false"}}},
      {"no paired transfers", {{"tessera.pairTransfers", "false"}}},
      {"every copy made", {{"tessera.viewCopies", "false"}}},
      {"all text everywhere", {{"tessera.tileText", "false"}}},
      {"each constant kept", {{"tessera.shareConstants", "false"}}},
  };
  return sets;
}

Device& Machines::named(const std::string& machine) {
  const auto [found, made] = devices_.try_emplace(machine);
  if (made) {
    found->second = IPUModel(machine.c_str()).createDevice();
    if (!found->second.attach()) throw std::runtime_error("no machine can be attached");
  }
  return found->second;
}

std::vector<Observation> Machines::run(const Recipe& recipe, const Interpretation& wanted, const OptionSet& options) {
  Device& device = named(recipe.machine);
  Builder built(recipe, device.getTarget());
  OptionFlags flags;
  for (const auto& [key, value] : options.options) flags.set(key, value);
  Engine engine(built.graph, built.programs, flags);
  engine.load(device);

  std::vector<Observation> seen = wanted.seen;  // the same kinds and sizes
  auto next = seen.begin();
  std::map<std::string, std::vector<std::uint8_t>> streams;
  for (std::size_t s = 0; s < recipe.streams.size(); ++s) {
    const std::string name = "s" + std::to_string(s);
    std::vector<std::uint8_t>& bytes = streams[name];
    bytes = to_bytes(recipe.streams[s].kind, recipe.streams[s].values);
    for (const Observation& one : wanted.seen)
      if (one.what == name) bytes.assign(one.elements.size() * info(one.kind).bytes, kNeverWritten);
    engine.connectStream(name, bytes.data(), bytes.data() + bytes.size());
  }
  const auto read = [&](const std::string& handle) {
    std::vector<std::uint8_t> bytes(next->elements.size() * info(next->kind).bytes);
    engine.readTensor(handle, bytes.data(), bytes.data() + bytes.size());
    next->elements = known(next->kind, bytes);
    ++next;
  };
  for (const HostAction& action : recipe.actions) {
    const std::string handle = "h" + std::to_string(action.number);
    if (action.is == HostAction::Is::kLoad) engine.load(device);
    if (action.is == HostAction::Is::kRun) engine.run(action.number);
    if (action.is == HostAction::Is::kRead) read(handle);
    if (action.is != HostAction::Is::kWrite) continue;
    const Kind kind = show(recipe, recipe.handles[action.number].view).kind;
    const std::vector<std::uint8_t> bytes = to_bytes(kind, action.values);
    engine.writeTensor(handle, bytes.data(), bytes.data() + bytes.size());
  }
  for (std::size_t v = 0; v < recipe.variables.size(); ++v)
    if (recipe.variables[v].read_at_end) read("v" + std::to_string(v));
  for (; next != seen.end(); ++next) next->elements = known(next->kind, streams.at(next->what));
  return seen;
}

}  // namespace tessera::test
