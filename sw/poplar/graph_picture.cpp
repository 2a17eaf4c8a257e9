// Graphviz pictures of a graph.
#include <poplar/Graph.hpp>

#include <set>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::vector<g::ComputeSetId> shown_sets(const g::Graph& graph, ArrayRef<program::Program> programs) {
  if (!programs.empty()) {
    std::vector<g::ProgramRef> roots;
    for (const program::Program& p : programs) roots.push_back(Access::program(p));
    return g::reachable_compute_sets(graph, roots);
  }
  std::vector<g::ComputeSetId> all(graph.compute_sets.size());
  for (g::ComputeSetId id = 0; id < all.size(); ++id) all[id] = id;
  return all;
}

}  // namespace

void Graph::outputVertexGraph(std::ostream& os, ArrayRef<program::Program> programs) const {
  const g::Graph& graph = impl_->state->graph;
  std::set<g::VariableId> variables;
  os << "digraph vertices {\n";
  for (const g::ComputeSetId cs : shown_sets(graph, programs)) {
    for (const g::VertexId id : graph.compute_sets[cs].vertices) {
      const g::Vertex& vertex = graph.vertices[id];
      const g::CodeletInfo& codelet = graph.codelets[vertex.codelet].info;
      os << "  vertex" << id << " [shape=box, label=\"" << escaped(codelet.name) << "\"];\n";
      for (const g::Connection& c : vertex.connections) {
        const g::CodeletField& field = codelet.fields[c.field];
        std::set<g::VariableId> touched;
        c.tensor.view.for_each_variable([&](g::VariableId v) { touched.insert(v); });
        for (const g::VariableId v : touched) {
          variables.insert(v);
          const std::string label = " [label=\"" + escaped(field.name) + "\"];\n";
          if (field.kind != g::FieldKind::kOutput) os << "  variable" << v << " -> vertex" << id << label;
          if (field.kind != g::FieldKind::kInput) os << "  vertex" << id << " -> variable" << v << label;
        }
      }
    }
  }
  for (const g::VariableId v : variables) {
    os << "  variable" << v << " [label=\"" << escaped(graph.variables[v].name) << "\"];\n";
  }
  os << "}\n";
}

void Graph::outputComputeGraph(std::ostream& os, ArrayRef<program::Program> programs) const {
  const g::Graph& graph = impl_->state->graph;
  os << "digraph compute {\n";
  for (const g::ComputeSetId cs : shown_sets(graph, programs)) {
    std::set<g::VariableId> read;
    std::set<g::VariableId> written;
    for (const g::VertexId id : graph.compute_sets[cs].vertices) {
      const g::CodeletInfo& codelet = graph.codelets[graph.vertices[id].codelet].info;
      for (const g::Connection& c : graph.vertices[id].connections) {
        const g::FieldKind kind = codelet.fields[c.field].kind;
        c.tensor.view.for_each_variable([&](g::VariableId v) {
          if (kind != g::FieldKind::kOutput) read.insert(v);
          if (kind != g::FieldKind::kInput) written.insert(v);
        });
      }
    }
    os << "  set" << cs << " [shape=box, label=\"" << escaped(graph.compute_sets[cs].name) << "\"];\n";
    for (const g::VariableId v : read) os << "  variable" << v << " -> set" << cs << ";\n";
    for (const g::VariableId v : written) os << "  set" << cs << " -> variable" << v << ";\n";
    read.insert(written.begin(), written.end());
    for (const g::VariableId v : read) {
      os << "  variable" << v << " [label=\"" << escaped(graph.variables[v].name) << "\"];\n";
    }
  }
  os << "}\n";
}

}  // namespace poplar
