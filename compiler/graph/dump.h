// Graph and programs as text, one thing a line, in order of ids: what tests of passes compare.
#pragma once

#include <ostream>
#include <string>

#include "compiler/graph/graph.h"

namespace tessera::graph {

// "f32[2,3] v0[0:4] v1[2] v0[9:6:-1]"-style: shape and runs, at most max_runs of them.
std::string to_text(const TensorView& view, std::size_t max_runs = 16);

void dump_graph(const Graph& graph, std::ostream& os);
void dump_program(const Graph& graph, const ProgramRef& program, std::ostream& os);

}  // namespace tessera::graph
