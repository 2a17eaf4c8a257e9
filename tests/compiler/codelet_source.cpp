#include "tests/compiler/codelet_source.h"

#include <stdexcept>

#include "compiler/codelet/compile.h"

namespace tessera::test {

void add_codelets(GraphBuilder& builder, const std::string& text) {
  auto library = std::make_shared<compiler::CodeletLibrary>(
      compiler::compile_codelet_text("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text, "test.cpp"));
  graph::Graph& graph = builder.graph;
  graph.libraries.push_back(library);
  for (const graph::CodeletInfo& info : library->codelets) {
    graph.codelet_by_name[info.name] = static_cast<graph::CodeletId>(graph.codelets.size());
    graph.codelets.push_back({info, static_cast<std::uint32_t>(graph.libraries.size() - 1)});
  }
}

graph::ComputeSetId add_compute_set(GraphBuilder& builder, const std::string& name) {
  builder.graph.compute_sets.push_back({name, {}});
  return static_cast<graph::ComputeSetId>(builder.graph.compute_sets.size() - 1);
}

static std::uint32_t field_of(const GraphBuilder& builder, const graph::Vertex& vertex, const std::string& name) {
  const int field = graph::find_field(builder.graph.codelets[vertex.codelet].info, name);
  if (field < 0) throw std::runtime_error("no field " + name);
  return static_cast<std::uint32_t>(field);
}

graph::VertexId add_vertex(GraphBuilder& builder, graph::ComputeSetId set, const std::string& codelet,
                           std::uint32_t tile, const std::vector<Edge>& edges) {
  graph::Vertex vertex;
  vertex.codelet = builder.graph.codelet_by_name.at(codelet);
  vertex.compute_set = set;
  vertex.tile = tile;
  for (const Edge& edge : edges)
    vertex.connections.push_back({field_of(builder, vertex, edge.field), edge.index, edge.tensor});
  builder.graph.vertices.push_back(std::move(vertex));
  const auto id = static_cast<graph::VertexId>(builder.graph.vertices.size() - 1);
  builder.graph.compute_sets[set].vertices.push_back(id);
  return id;
}

void set_state(GraphBuilder& builder, graph::VertexId id, const std::string& field, std::uint32_t value) {
  graph::Vertex& vertex = builder.graph.vertices[id];
  vertex.values.push_back({field_of(builder, vertex, field),
                           {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
                            static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)}});
}

}  // namespace tessera::test
