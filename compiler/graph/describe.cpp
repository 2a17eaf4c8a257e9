// How messages name the user's objects.
#include <algorithm>

#include "compiler/graph/graph.h"

namespace tessera::graph {

std::string describe_variable(const Graph& graph, VariableId id) {
  const Variable& variable = graph.variables[id];
  const std::string what = variable.constant ? "constant" : "variable";
  if (variable.name.empty()) return "unnamed " + what + " " + std::to_string(id);
  return what + " '" + variable.name + "'";
}

std::string describe_vertex(const Graph& graph, VertexId id) {
  const Vertex& vertex = graph.vertices[id];
  std::string text = "vertex " + std::to_string(id) + " of type '" + graph.codelets[vertex.codelet].info.name +
                     "' in compute set '" + graph.compute_sets[vertex.compute_set].name + "'";
  if (vertex.tile != kNoTile) text += " on tile " + std::to_string(vertex.tile);
  return text;
}

std::string describe_view(const Graph& graph, const TensorView& view) {
  constexpr std::size_t kMost = 3;
  std::vector<VariableId> seen;
  bool more = false;
  view.for_each_variable([&](VariableId id) {
    if (std::find(seen.begin(), seen.end(), id) != seen.end()) return;
    if (seen.size() < kMost) {
      seen.push_back(id);
    } else {
      more = true;
    }
  });
  if (seen.empty()) return "empty tensor";
  std::string text;
  for (const VariableId id : seen) text += (text.empty() ? "" : ", ") + describe_variable(graph, id);
  return more ? text + ", ..." : text;
}

std::string name_view(const Graph& graph, const TensorView& view) {
  constexpr std::size_t kMost = 3;
  std::vector<VariableRun> sides;  // of each variable all elements between the lowest and the highest
  for (const VariableRun& run : view.bounding_runs()) {
    if (sides.empty() || sides.back().variable != run.variable)
      sides.push_back(run);
    else
      sides.back().end = run.end;
  }
  if (sides.empty()) return "empty tensor";
  std::string text;
  for (std::size_t i = 0; i < std::min(sides.size(), kMost); ++i) {
    const auto& [id, begin, end] = sides[i];
    const Variable& variable = graph.variables[id];
    text += (i == 0 ? "" : ", ") + (variable.name.empty() ? describe_variable(graph, id) : variable.name);
    if (end - begin == variable.num_elements) continue;
    text += "[" + std::to_string(begin) + (end - begin == 1 ? "" : ".." + std::to_string(end - 1)) + "]";
  }
  if (sides.size() > kMost) text += ", ...";
  return sides.size() == 1 ? text : "{" + text + "}";
}

}  // namespace tessera::graph
