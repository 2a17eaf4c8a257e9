#include "compiler/passes/debug_info.h"

#include <algorithm>

namespace tessera::compiler {
namespace {

template <class Places>
void sort_places(Places& places) {
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return a.tile != b.tile ? a.tile < b.tile : a.address < b.address;
  });
}

}  // namespace

image::DebugInfo make_debug_info(const graph::Graph& graph, const Text& text, const Lowered& lowered,
                                 const ControlCode& code) {
  image::DebugInfo debug;
  debug.symbols = text.symbols;
  debug.steps = code.steps;
  for (const graph::Codelet& codelet : graph.codelets) debug.codelets.push_back(codelet.info.name);
  for (const graph::ComputeSet& set : graph.compute_sets) debug.compute_sets.push_back(set.name);
  for (graph::VariableId id = 0; id < graph.variables.size(); ++id)
    debug.variables.push_back(graph::describe_variable(graph, id));
  for (const Compute& compute : lowered.computes) {
    for (const LoweredVertex& vertex : compute.vertices) {
      const graph::Vertex& source = graph.vertices[vertex.id];
      debug.vertex_places.push_back({.tile = source.tile,
                                     .address = address_of(lowered.blocks, vertex.state),
                                     .bytes = std::max(graph.codelets[source.codelet].info.state_size, 4u),
                                     .vertex = vertex.id,
                                     .codelet = source.codelet,
                                     .compute_set = compute.id,
                                     .worker = vertex.worker});
    }
  }
  for (const auto& [variable, block] : lowered.variable_blocks) {
    const Block& b = lowered.blocks[block];
    debug.variable_places.push_back({.tile = b.tile, .address = b.address, .bytes = b.bytes, .variable = variable});
  }
  sort_places(debug.vertex_places);
  sort_places(debug.variable_places);
  for (std::uint32_t tile = 0; tile < lowered.tiles; ++tile) {
    const TileCode& tile_code = code.tiles[tile];
    const std::uint32_t base = lowered.blocks[tile_code.block].address;
    for (const StepMark& mark : tile_code.marks) debug.step_places.push_back({tile, base + mark.offset, mark.step});
  }
  return debug;
}

}  // namespace tessera::compiler
