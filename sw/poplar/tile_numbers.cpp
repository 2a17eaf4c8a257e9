#include "sw/poplar/tile_numbers.h"

#include <utility>

namespace tessera::runtime {

graph::Graph numbered_by_machine(graph::Graph graph, uint32_t tiles_per_ipu, uint32_t machine_tiles) {
  const auto number = [&](uint32_t tile) {
    return tile == graph::kNoTile ? tile : tile / tiles_per_ipu * machine_tiles + tile % tiles_per_ipu;
  };
  for (graph::Variable& variable : graph.variables) {
    const graph::TileMap mapping = std::exchange(variable.mapping, {});
    for (const graph::TileInterval& interval : mapping.intervals())
      variable.mapping.assign(interval.begin, interval.end, number(interval.tile));
    variable.mapping.settle();
  }
  for (graph::Vertex& vertex : graph.vertices) vertex.tile = number(vertex.tile);
  graph.num_tiles = graph.num_tiles / tiles_per_ipu * machine_tiles;
  return graph;
}

}  // namespace tessera::runtime
