// The library's own vertices.
#pragma once

#include <poplar/Graph.hpp>

namespace popops {

// For programs that call it, as PopLibs wants: here operations write the vertices that they need, so there is nothing
// to add.
void addCodelets(poplar::Graph& graph);

}  // namespace popops
