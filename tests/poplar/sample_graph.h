// A small graph built as plain data, with codelets described by hand: the ground of tests that need no compiler.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/graph/program.h"

namespace sample {

using namespace tessera::graph;

inline CodeletField field(const std::string& name, FieldKind kind, FieldShape shape,
                          ElementType type = ElementType::kFloat) {
  CodeletField f;
  f.name = name;
  f.kind = kind;
  f.shape = shape;
  f.type = type;
  return f;
}

// "Sum": in (vector), out (scalar), bias (state). "Scale": data (vector, in and out). "Join": parts (list), out
// (vector).
inline std::vector<CodeletInfo> codelets() {
  std::vector<CodeletInfo> all(3);
  all[0].name = "Sum";
  all[0].fields = {field("in", FieldKind::kInput, FieldShape::kVector),
                   field("out", FieldKind::kOutput, FieldShape::kScalar),
                   field("bias", FieldKind::kState, FieldShape::kScalar)};
  all[1].name = "Scale";
  all[1].fields = {field("data", FieldKind::kInOut, FieldShape::kVector)};
  all[2].name = "Join";
  all[2].fields = {field("parts", FieldKind::kInput, FieldShape::kList),
                   field("out", FieldKind::kOutput, FieldShape::kVector)};
  return all;
}

inline void add_codelets(Graph& graph) {
  for (const CodeletInfo& codelet : codelets()) {
    graph.codelet_by_name.emplace(codelet.name, static_cast<CodeletId>(graph.codelets.size()));
    graph.codelets.push_back({codelet, 0});
  }
}

struct Sample {
  Graph graph;

  Sample() {
    graph.num_tiles = 4;
    add_codelets(graph);
    graph.compute_sets.push_back({"cs", {}});
  }

  TensorRef variable(const std::string& name, std::vector<std::size_t> shape, ElementType type = ElementType::kFloat,
                     bool mapped = true) {
    Variable v;
    v.name = name;
    v.type = type;
    v.num_elements = 1;
    for (const std::size_t s : shape) v.num_elements *= s;
    if (mapped) v.mapping.assign(0, v.num_elements, 0);
    graph.variables.push_back(v);
    return {type, TensorView::whole(static_cast<VariableId>(graph.variables.size() - 1), shape)};
  }

  TensorRef constant(const std::string& name, std::vector<std::size_t> shape) {
    TensorRef t = variable(name, std::move(shape));
    graph.variables.back().constant = true;
    graph.variables.back().constant_bytes = {0, 0, 0, 0};
    return t;
  }

  Vertex& vertex(CodeletId codelet, std::vector<Connection> connections, std::uint32_t tile = 1) {
    Vertex v;
    v.codelet = codelet;
    v.tile = tile;
    v.connections = std::move(connections);
    graph.compute_sets[0].vertices.push_back(static_cast<VertexId>(graph.vertices.size()));
    graph.vertices.push_back(std::move(v));
    return graph.vertices.back();
  }
};

template <class Op>
ProgramRef program(Op op, std::string name = "") {
  return std::make_shared<const Program>(Program{std::move(name), std::move(op)});
}

inline ProgramRef execute() { return program(Execute{0, std::nullopt}, "run"); }

inline TensorRef part(const TensorRef& t, std::size_t begin, std::size_t end) {
  return {t.type, t.view.slice(0, begin, end)};
}

}  // namespace sample
