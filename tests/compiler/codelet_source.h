// Codelets of a test, compiled from source text and added to its graph.
#pragma once

#include <string>

#include "tests/compiler/graph_builder.h"

namespace tessera::test {

// `text` follows the includes and `using namespace poplar`.
void add_codelets(GraphBuilder& builder, const std::string& text);

// A field connected to a tensor; index: entry of a list field.
struct Edge {
  std::string field;
  TensorRef tensor;
  std::uint32_t index = graph::kWholeField;
};

graph::ComputeSetId add_compute_set(GraphBuilder& builder, const std::string& name);
graph::VertexId add_vertex(GraphBuilder& builder, graph::ComputeSetId set, const std::string& codelet,
                           std::uint32_t tile, const std::vector<Edge>& edges);
// Value of a 32-bit state field.
void set_state(GraphBuilder& builder, graph::VertexId vertex, const std::string& field, std::uint32_t value);

inline ProgramRef execute(graph::ComputeSetId set) { return program(graph::Execute{set, std::nullopt}); }
inline ProgramRef execute(graph::ComputeSetId set, const TensorRef& predicate) {
  return program(graph::Execute{set, predicate});
}

}  // namespace tessera::test
