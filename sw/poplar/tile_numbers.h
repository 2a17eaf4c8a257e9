// Tiles of several IPUs that use the first of their machine's only: a program numbers them ipu * tilesPerIPU + tile, an
// executable chip * tiles of the machine + tile.
#pragma once

#include <cstdint>

#include "compiler/graph/graph.h"

namespace tessera::runtime {

// The graph with the numbers of an executable.
graph::Graph numbered_by_machine(graph::Graph graph, uint32_t tiles_per_ipu, uint32_t machine_tiles);

}  // namespace tessera::runtime
