// Programs, mappings and host handles; compute sets are in validate_compute_set.cpp.
#include "compiler/graph/validate.h"

#include <unordered_set>

namespace tessera::graph {
namespace {

std::string in_program(const Program& program) {
  return program.name.empty() ? std::string() : " in program '" + program.name + "'";
}

// Walks every program reachable from roots once, functions included.
template <class Visit>
class ProgramWalk {
 public:
  ProgramWalk(const Graph& graph, const Visit& visit)
      : graph_(graph), visit_(visit), states_(graph.functions.size(), State::kUnseen) {}

  void walk(const ProgramRef& program) {
    if (!seen_.insert(program.get()).second) return;
    visit_(*program);
    if (const Call* call = std::get_if<Call>(&program->op)) enter(*program, call->function);
    for (const ProgramRef& child : children(*program)) walk(child);
  }

 private:
  enum class State { kUnseen, kOpen, kDone };

  void enter(const Program& program, FunctionId function) {
    if (function >= graph_.functions.size()) {
      throw GraphError(GraphErrorKind::kControlProgram, "Call of function " + std::to_string(function) +
                                                            ", which this graph does not have" + in_program(program));
    }
    if (states_[function] == State::kOpen) {
      throw GraphError(GraphErrorKind::kRecursion,
                       "Function " + std::to_string(function) + " calls itself" + in_program(program));
    }
    if (states_[function] == State::kDone) return;
    states_[function] = State::kOpen;
    walk(graph_.functions[function].program);
    states_[function] = State::kDone;
  }

  const Graph& graph_;
  const Visit& visit_;
  std::vector<State> states_;
  std::unordered_set<const Program*> seen_;
};

template <class Visit>
void for_each_program(const Graph& graph, const std::vector<ProgramRef>& programs, const Visit& visit) {
  ProgramWalk<Visit> walk(graph, visit);
  for (const ProgramRef& program : programs) walk.walk(program);
}

bool shares_elements(const TensorView& a, const TensorView& b) {
  const std::vector<VariableRun> x = a.covering_runs();
  const std::vector<VariableRun> y = b.covering_runs();
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < x.size() && k < y.size()) {
    if (x[i].variable == y[k].variable && x[i].begin < y[k].end && y[k].begin < x[i].end) return true;
    const bool x_first = x[i].variable < y[k].variable || (x[i].variable == y[k].variable && x[i].end <= y[k].end);
    x_first ? ++i : ++k;
  }
  return false;
}

class ProgramCheck {
 public:
  ProgramCheck(const Graph& graph, const Program& program) : graph_(graph), program_(program) {}

  void run() {
    std::visit([this](const auto& op) { check(op); }, program_.op);
    for (const TensorRef* tensor : tensors(program_))
      validate_mapping(graph_, tensor->view, [&] {
        const std::string where = in_program(program_);
        return where.empty() ? "a program" : where.substr(4);
      });
  }

 private:
  [[noreturn]] void fail(GraphErrorKind kind, const std::string& message) const {
    throw GraphError(kind, message + in_program(program_));
  }
  void control(bool good, const std::string& message) const {
    if (!good) fail(GraphErrorKind::kControlProgram, message);
  }

  std::string name(const TensorRef& tensor) const { return describe_view(graph_, tensor.view); }

  void check_written(const TensorRef& tensor, const std::string& what) const {
    tensor.view.for_each_variable([&](VariableId id) {
      control(!graph_.variables[id].constant, what + " writes " + describe_variable(graph_, id));
    });
    control(!tensor.view.contains_aliases(), what + " writes an element of " + name(tensor) + " more than once");
  }

  void check_sizes(const std::string& what, std::size_t from, ElementType from_type, const std::string& from_name,
                   std::size_t to, ElementType to_type, const std::string& to_name) const {
    if (from_type != to_type) {
      fail(GraphErrorKind::kType, what + " from " + from_name + " of type " + std::string(name_of(from_type)) + " to " +
                                      to_name + " of type " + std::string(name_of(to_type)));
    }
    control(from == to, what + " from " + from_name + " with " + std::to_string(from) + " elements to " + to_name +
                            " with " + std::to_string(to) + " elements");
  }

  void check_single(const TensorRef& tensor, const std::string& what) const {
    control(tensor.view.num_elements() == 1, what + " " + name(tensor) + " has " +
                                                 std::to_string(tensor.view.num_elements()) + " elements instead of 1");
  }

  void check_predicate(const TensorRef& tensor) const {
    check_single(tensor, "Predicate");
    if (is_floating_point(tensor.type) || size_of(tensor.type) > 4) {
      fail(GraphErrorKind::kType, "Predicate " + name(tensor) + " of type " + std::string(name_of(tensor.type)) +
                                      " is neither bool nor an integer of at most 32 bits");
    }
  }

  void check(const Execute& op) const {
    control(op.compute_set < graph_.compute_sets.size(), "Execute of a compute set that this graph does not have");
    if (!op.predicate) return;
    check_predicate(*op.predicate);
    check_written(*op.predicate, "Execute with a predicate");
    for (const VertexId id : graph_.compute_sets[op.compute_set].vertices) check_leaves(*op.predicate, id);
  }
  // No vertex writes what its compute set's execution itself writes.
  void check_leaves(const TensorRef& predicate, VertexId id) const {
    const Vertex& vertex = graph_.vertices[id];
    for (const Connection& c : vertex.connections) {
      if (graph_.codelets[vertex.codelet].info.fields[c.field].kind == FieldKind::kInput) continue;
      bool same_variable = false;
      c.tensor.view.for_each_variable(
          [&](VariableId v) { same_variable = same_variable || v == predicate.view.first_variable(); });
      control(!same_variable || !shares_elements(predicate.view, c.tensor.view),
              "Predicate " + name(predicate) + " is written by Execute and by " + describe_vertex(graph_, id));
    }
  }
  void check(const Copy& op) const {
    check_sizes("Copy", op.source.view.num_elements(), op.source.type, name(op.source),
                op.destination.view.num_elements(), op.destination.type, name(op.destination));
    check_written(op.destination, "Copy");
    control(!shares_elements(op.source.view, op.destination.view),
            "Copy from " + name(op.source) + " to " + name(op.destination) + " overlaps itself");
  }
  void check(const CrossReplicaCopy& op) const {
    for (const CrossReplicaCopy::Part& part : op.parts) check(part);
    for (const CrossReplicaCopy::Part& part : op.parts)
      for (const CrossReplicaCopy::Part& other : op.parts) check_apart(part, other);
  }
  void check(const CrossReplicaCopy::Part& part) const {
    const std::string what = "CrossReplicaCopy";
    control(part.from.size() == graph_.replicas, what + " names a source for " + std::to_string(part.from.size()) +
                                                     " replicas; the graph has " + std::to_string(graph_.replicas));
    for (const auto* tensors : {&part.sources, &part.destinations})
      control(tensors->size() == 1 || tensors->size() == graph_.replicas,
              what + " names " + std::to_string(tensors->size()) + " tensors; the graph has " +
                  std::to_string(graph_.replicas) + " replicas");
    for (const TensorRef& destination : part.destinations) {
      check_written(destination, what);
      for (const TensorRef& source : part.sources)
        check_sizes(what, source.view.num_elements(), source.type, name(source), destination.view.num_elements(),
                    destination.type, name(destination));
    }
    std::uint32_t own = 0;
    for (std::uint32_t r = 0; r < part.from.size(); ++r) {
      control(part.from[r] < graph_.replicas, what + " from replica " + std::to_string(part.from[r]) +
                                                  "; the graph has " + std::to_string(graph_.replicas) + ", from 0 on");
      own += part.from[r] == r;
    }
    const bool varies = part.sources.size() > 1 || part.destinations.size() > 1;
    control(!varies || own == 0 || own == part.from.size(),
            what + " to " + name(part.destinations[0]) + " of some replicas to themselves, with tensors by replica");
  }
  void check_apart(const CrossReplicaCopy::Part& part, const CrossReplicaCopy::Part& other) const {
    const auto apart = [&](const TensorRef& from, const TensorRef& to) {
      control(!shares_elements(from.view, to.view),
              "CrossReplicaCopy from " + name(from) + " to " + name(to) + " overlaps itself");
    };
    const auto of = [](const std::vector<TensorRef>& tensors, std::size_t replica) -> const TensorRef& {
      return tensors.size() == 1 ? tensors[0] : tensors[replica];
    };
    for (std::size_t replica = 0; replica < graph_.replicas; ++replica) {
      apart(of(part.sources, replica), of(other.destinations, replica));
      if (&part != &other) apart(of(part.destinations, replica), of(other.destinations, replica));
    }
  }
  void check(const CopyFromStream& op) const {
    const Stream& stream = graph_.streams[op.stream];
    control(stream.to_device, "Copy from stream '" + stream.handle + "', which goes from device to host");
    check_sizes("Copy", stream.num_elements, stream.type, "stream '" + stream.handle + "'",
                op.destination.view.num_elements(), op.destination.type, name(op.destination));
    check_written(op.destination, "Copy");
  }
  void check(const CopyToStream& op) const {
    const Stream& stream = graph_.streams[op.stream];
    control(!stream.to_device, "Copy to stream '" + stream.handle + "', which goes from host to device");
    check_sizes("Copy", op.source.view.num_elements(), op.source.type, name(op.source), stream.num_elements,
                stream.type, "stream '" + stream.handle + "'");
  }
  void check(const CopyFromRemote& op) const {
    check_rows("Copy from", op.buffer, op.rows, op.destination);
    check_written(op.destination, "Copy");
  }
  void check(const CopyToRemote& op) const { check_rows("Copy to", op.buffer, op.rows, op.source); }
  void check_rows(const char* what, RemoteBufferId id, const std::optional<TensorRef>& rows,
                  const TensorRef& data) const {
    const RemoteBuffer& buffer = graph_.remote_buffers[id];
    const std::string remote = "remote buffer '" + buffer.handle + "'";
    const std::size_t number = rows ? rows->view.num_elements() : 1;
    if (rows && rows->type != ElementType::kInt && rows->type != ElementType::kUnsignedInt) {
      fail(GraphErrorKind::kType, std::string(what) + " " + remote + ": its offset " + name(*rows) + " of type " +
                                      std::string(name_of(rows->type)) + " is neither int nor unsigned int");
    }
    if (data.type != buffer.type) {
      fail(GraphErrorKind::kType, std::string(what) + " " + remote + " of type " + std::string(name_of(buffer.type)) +
                                      " of " + name(data) + " of type " + std::string(name_of(data.type)));
    }
    control(data.view.num_elements() == number * buffer.num_elements,
            std::string(what) + " " + remote + ": " + std::to_string(number) + " rows of " +
                std::to_string(buffer.num_elements) + " elements, but " + name(data) + " has " +
                std::to_string(data.view.num_elements()));
  }
  void check(const CallHost& op) const {
    const HostFunction& function = graph_.host_functions[op.function];
    check_arguments(function, "input", function.inputs, op.inputs);
    check_arguments(function, "output", function.outputs, op.outputs);
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      check_written(op.outputs[i], "Call");
      for (std::size_t j = 0; j < i; ++j)
        control(!shares_elements(op.outputs[i].view, op.outputs[j].view),
                "Call of host function '" + function.handle + "': outputs " + std::to_string(j) + " and " +
                    std::to_string(i) + " share elements");
    }
  }
  void check_arguments(const HostFunction& function, const std::string& what,
                       const std::vector<HostFunctionArgument>& declared, const std::vector<TensorRef>& given) const {
    const std::string call = "Call of host function '" + function.handle + "'";
    control(given.size() == declared.size(), call + " with " + std::to_string(given.size()) + " " + what +
                                                 "s; it has " + std::to_string(declared.size()));
    for (std::size_t i = 0; i < given.size(); ++i)
      check_sizes(call, declared[i].num_elements, declared[i].type, what + " " + std::to_string(i),
                  given[i].view.num_elements(), given[i].type, name(given[i]));
  }
  void check(const RepeatWhile& op) const { check_predicate(op.predicate); }
  void check(const If& op) const { check_predicate(op.predicate); }
  void check(const AbortOnCondition& op) const { check_predicate(op.predicate); }
  void check(const Switch& op) const {
    check_single(op.selector, "Selector");
    if (op.selector.type != ElementType::kInt && op.selector.type != ElementType::kUnsignedInt) {
      fail(GraphErrorKind::kType, "Selector " + name(op.selector) + " of type " +
                                      std::string(name_of(op.selector.type)) + " is neither int nor unsigned int");
    }
    std::unordered_set<std::int32_t> values;
    for (const auto& one : op.cases) {
      control(values.insert(one.first).second, "Switch has two cases for " + std::to_string(one.first));
    }
  }
  template <class Op>
  void check(const Op&) const {}

  const Graph& graph_;
  const Program& program_;
};

void check_initial(const Graph& graph, VariableId id) {
  for (const InitialData& data : graph.variables[id].initial) {
    if (data.other_replicas.empty()) continue;
    if (data.other_replicas.size() + 1 != graph.replicas)
      throw GraphError(GraphErrorKind::kControlProgram,
                       "Initial values for " + std::to_string(data.other_replicas.size() + 1) + " replicas of " +
                           describe_variable(graph, id) + "; the graph has " + std::to_string(graph.replicas));
    for (const std::vector<std::uint8_t>& bytes : data.other_replicas)
      if (bytes.size() != data.bytes.size())
        throw GraphError(GraphErrorKind::kControlProgram, "Initial values of " + describe_variable(graph, id) +
                                                              " have different numbers of elements in two replicas");
  }
}

}  // namespace

void validate_mapping(const Graph& graph, const TensorView& view, const std::function<std::string()>& user) {
  bool complete = true;
  view.for_each_variable([&](VariableId id) {
    const Variable& variable = graph.variables[id];
    complete = complete && variable.mapping.covers(0, variable.num_elements);
  });
  if (complete) return;
  view.for_each_covering_run([&](const VariableRun& run) {
    const TileMap& mapping = graph.variables[run.variable].mapping;
    if (mapping.covers(run.begin, run.end)) return;
    std::size_t first = run.begin;
    while (mapping.covers(first, first + 1)) first = mapping.intervals()[mapping.find(first)].end;
    throw GraphError(GraphErrorKind::kTileMapping, "Element " + std::to_string(first) + " of " +
                                                       describe_variable(graph, run.variable) + ", used by " + user() +
                                                       ", is not mapped to a tile");
  });
}

std::vector<ComputeSetId> reachable_compute_sets(const Graph& graph, const std::vector<ProgramRef>& programs) {
  std::vector<bool> reached(graph.compute_sets.size());
  for_each_program(graph, programs, [&](const Program& program) {
    const Execute* execute = std::get_if<Execute>(&program.op);
    if (execute != nullptr && execute->compute_set < reached.size()) reached[execute->compute_set] = true;
  });
  std::vector<ComputeSetId> out;
  for (ComputeSetId id = 0; id < reached.size(); ++id) {
    if (reached[id]) out.push_back(id);
  }
  return out;
}

void validate(const Graph& graph, const std::vector<ProgramRef>& programs, unsigned threads,
              std::uint32_t tiles_of_chip) {
  for (VariableId id = 0; id < graph.variables.size(); ++id) check_initial(graph, id);
  for_each_program(graph, programs, [&](const Program& program) { ProgramCheck(graph, program).run(); });
  for (const ComputeSetId id : reachable_compute_sets(graph, programs))
    validate_compute_set(graph, id, threads, tiles_of_chip);
  for (const HostHandle& handle : graph.host_writes) {
    validate_mapping(graph, handle.tensor.view, [&] { return "host write '" + handle.name + "'"; });
  }
  for (const HostHandle& handle : graph.host_reads) {
    validate_mapping(graph, handle.tensor.view, [&] { return "host read '" + handle.name + "'"; });
  }
}

}  // namespace tessera::graph
