// A network of layers of equal shape, each with weights, vertices and compute sets of its own: the program whose
// control code is the same again and again but for its addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/compiler/graph_builder.h"

namespace tessera::test {

struct EqualLayers {
  std::uint32_t tiles = 0, layers = 0, sets = 0;  // compute sets of each layer
  bool exchanges = false;                         // each compute set reads what another tile has
};

struct EqualLayersProgram {
  GraphBuilder builder;
  ProgramRef program;
};

// Compute set n of layer l adds w(l, n) times an element of a tile to one of tile n % tiles: of the same tile, or with
// exchanges of the next one. Handle "x": an element of each tile.
EqualLayersProgram build_layers(const EqualLayers& shape);
// What it makes of x.
std::vector<std::int32_t> run_layers(const EqualLayers& shape, std::vector<std::int32_t> x);

}  // namespace tessera::test
