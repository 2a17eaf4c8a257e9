// Vertices that are instantiations of templates of the library's device headers.
#pragma once

#include <string>

#include <poplar/Graph.hpp>

namespace popops {

// The name, after the vertex has been compiled if the graph does not have it. header: of sw/device/include/popops.
std::string instantiated(poplar::Graph& graph, const std::string& header, const std::string& name);

}  // namespace popops
