// Vertices of the usual operators, compiled when popops was installed: a library of codelets for each type of operands.
#pragma once

#include <string>

#include <poplar/Graph.hpp>

namespace popops {

// Makes the vertices written in `source` known to the graph, `name` among them: from their library where there is one,
// else compiled. In a checked program (TESSERA_CHECK) all are compiled, with checks.
void make_known(poplar::Graph& graph, const std::string& name, const std::string& source);

// What stands in the folder of the libraries: the names of vertices, each with its library's file.
constexpr const char* kPrebuiltIndex = "index";

}  // namespace popops
