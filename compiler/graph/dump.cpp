#include "compiler/graph/dump.h"

#include <string_view>
#include <type_traits>

namespace tessera::graph {
namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

std::string text(const TensorRef& tensor) { return std::string(name_of(tensor.type)) + to_text(tensor.view); }

class ProgramDump {
 public:
  ProgramDump(const Graph& graph, std::ostream& os) : graph_(graph), os_(os) {}

  void dump(const Program& program, unsigned depth) {
    line(depth);
    std::visit([&](const auto& op) { head(op); }, program.op);
    if (!program.name.empty()) os_ << " # " << program.name;
    os_ << '\n';
    std::visit([&](const auto& op) { body(op, depth + 1); }, program.op);
  }

 private:
  void line(unsigned depth) { os_ << std::string(std::size_t{2} * depth, ' '); }

  void labelled(const std::string& label, const ProgramRef& program, unsigned depth) {
    line(depth);
    os_ << label << '\n';
    dump(*program, depth + 1);
  }

  void head(const Sequence&) { os_ << "sequence"; }
  void head(const Execute& op) {
    os_ << "execute cs" << op.compute_set << ' ' << quoted(graph_.compute_sets[op.compute_set].name);
    if (op.predicate) os_ << " -> " << text(*op.predicate);
  }
  void head(const Copy& op) { os_ << "copy " << text(op.source) << " -> " << text(op.destination); }
  void head(const CrossReplicaCopy& op) {
    os_ << "copy across replicas";
    for (const CrossReplicaCopy::Part& part : op.parts) {
      for (const TensorRef& source : part.sources) os_ << ' ' << text(source);
      os_ << " ->";
      for (const TensorRef& destination : part.destinations) os_ << ' ' << text(destination);
      os_ << " from";
      for (const std::uint32_t replica : part.from) os_ << ' ' << replica;
      if (&part != &op.parts.back()) os_ << ',';
    }
  }
  void head(const CopyFromStream& op) {
    os_ << "copy stream " << quoted(graph_.streams[op.stream].handle) << " -> " << text(op.destination);
  }
  void head(const CopyToStream& op) {
    os_ << "copy " << text(op.source) << " -> stream " << quoted(graph_.streams[op.stream].handle);
  }
  void head(const CopyFromRemote& op) {
    os_ << "copy remote " << quoted(graph_.remote_buffers[op.buffer].handle);
    if (op.rows) os_ << " rows " << text(*op.rows);
    os_ << " -> " << text(op.destination);
  }
  void head(const CopyToRemote& op) {
    os_ << "copy " << text(op.source) << " -> remote " << quoted(graph_.remote_buffers[op.buffer].handle);
    if (op.rows) os_ << " rows " << text(*op.rows);
  }
  void head(const CallHost& op) {
    os_ << "call host " << quoted(graph_.host_functions[op.function].handle);
    for (const TensorRef& input : op.inputs) os_ << " in " << text(input);
    for (const TensorRef& output : op.outputs) os_ << " out " << text(output);
  }
  void head(const Repeat& op) { os_ << "repeat " << op.count; }
  void head(const RepeatWhile& op) {
    os_ << "repeat while " << (op.while_value ? "true " : "false ") << text(op.predicate);
  }
  void head(const If& op) { os_ << "if " << text(op.predicate); }
  void head(const Switch& op) { os_ << "switch " << text(op.selector); }
  void head(const Call& op) { os_ << "call f" << op.function; }
  void head(const PrintTensor& op) { os_ << "print " << quoted(op.title) << ' ' << text(op.tensor); }
  void head(const WriteUndef& op) { os_ << "write undef " << text(op.tensor); }
  void head(const Sync& op) {
    constexpr std::string_view kSpans[] = {"internal", "external", "global"};
    os_ << "sync " << kSpans[static_cast<unsigned>(op.span)];
  }
  void head(const Abort& op) { os_ << "abort " << quoted(op.message); }
  void head(const AbortOnCondition& op) { os_ << "abort if " << text(op.predicate) << ' ' << quoted(op.message); }

  template <class Op>
  void body(const Op& op, unsigned depth) {
    if constexpr (std::is_same_v<Op, Sequence>) {
      for (const ProgramRef& step : op.steps) dump(*step, depth);
    } else if constexpr (std::is_same_v<Op, Repeat>) {
      dump(*op.body, depth);
    } else if constexpr (std::is_same_v<Op, RepeatWhile>) {
      labelled("condition", op.condition, depth);
      labelled("body", op.body, depth);
    } else if constexpr (std::is_same_v<Op, If>) {
      labelled("then", op.then_body, depth);
      labelled("else", op.else_body, depth);
    } else if constexpr (std::is_same_v<Op, Switch>) {
      for (const auto& [value, program] : op.cases) labelled("case " + std::to_string(value), program, depth);
      labelled("default", op.otherwise, depth);
    }
  }

  const Graph& graph_;
  std::ostream& os_;
};

void dump_vertex(const Graph& graph, VertexId id, std::ostream& os) {
  const Vertex& vertex = graph.vertices[id];
  const CodeletInfo& codelet = graph.codelets[vertex.codelet].info;
  os << "  vertex " << id << ' ' << quoted(codelet.name);
  os << (vertex.tile == kNoTile ? " unmapped" : " tile " + std::to_string(vertex.tile)) << '\n';
  for (const Connection& c : vertex.connections) {
    os << "    " << codelet.fields[c.field].name;
    if (c.index != kWholeField) os << '[' << c.index << ']';
    os << ": " << text(c.tensor) << '\n';
  }
  for (const FieldValue& v : vertex.values) {
    os << "    " << codelet.fields[v.field].name << " = " << v.bytes.size() << " bytes\n";
  }
}

}  // namespace

std::string to_text(const TensorView& view, std::size_t max_runs) {
  std::string out = "{";
  for (unsigned d = 0; d < view.rank(); ++d) out += (d == 0 ? "" : ",") + std::to_string(view.shape()[d]);
  out += "}";
  std::size_t n = 0;
  view.for_each_run([&](const VariableRun& run) {
    if (n++ < max_runs) {
      out +=
          " v" + std::to_string(run.variable) + "[" + std::to_string(run.begin) + "," + std::to_string(run.end) + ")";
    }
  });
  if (n > max_runs) out += " ...";
  return out;
}

void dump_graph(const Graph& graph, std::ostream& os) {
  os << "tiles " << graph.num_tiles;
  if (graph.replicas > 1) os << " replicas " << graph.replicas;
  os << '\n';
  for (std::size_t i = 0; i < graph.variables.size(); ++i) {
    const Variable& variable = graph.variables[i];
    os << (variable.constant ? "constant " : "variable ") << i << ' ' << quoted(variable.name) << ' '
       << name_of(variable.type) << ' ' << variable.num_elements;
    for (const TileInterval& m : variable.mapping.intervals()) {
      os << " [" << m.begin << ',' << m.end << ")@" << m.tile;
    }
    os << '\n';
  }
  for (const Stream& s : graph.streams) {
    os << "stream " << quoted(s.handle) << ' ' << name_of(s.type) << ' ' << s.num_elements
       << (s.to_device ? " to device\n" : " to host\n");
  }
  for (const RemoteBuffer& b : graph.remote_buffers)
    os << "remote buffer " << quoted(b.handle) << ' ' << name_of(b.type) << ' ' << b.num_elements << " x " << b.repeats
       << '\n';
  for (const HostFunction& f : graph.host_functions)
    os << "host function " << quoted(f.handle) << ' ' << f.inputs.size() << " in " << f.outputs.size() << " out\n";
  for (const HostHandle& h : graph.host_writes) os << "host write " << quoted(h.name) << ' ' << text(h.tensor) << '\n';
  for (const HostHandle& h : graph.host_reads) os << "host read " << quoted(h.name) << ' ' << text(h.tensor) << '\n';
  for (std::size_t i = 0; i < graph.compute_sets.size(); ++i) {
    os << "compute set " << i << ' ' << quoted(graph.compute_sets[i].name) << '\n';
    for (const VertexId v : graph.compute_sets[i].vertices) dump_vertex(graph, v, os);
  }
  for (std::size_t i = 0; i < graph.functions.size(); ++i) {
    os << "function " << i << '\n';
    ProgramDump(graph, os).dump(*graph.functions[i].program, 1);
  }
}

void dump_program(const Graph& graph, const ProgramRef& program, std::ostream& os) {
  ProgramDump(graph, os).dump(*program, 0);
}

}  // namespace tessera::graph
