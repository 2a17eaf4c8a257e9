// Graph and programs as text, one thing a line, in order of ids: what tests of passes compare.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "compiler/graph/graph.h"

namespace tessera::graph {

// Shape, then the runs of elements: "{2,3} v0[0,4) v1[2,4)"; "..." stands for runs beyond max_runs.
std::string to_text(const TensorView& view, std::size_t max_runs = 16);

void dump_graph(const Graph& graph, std::ostream& os);
void dump_program(const Graph& graph, const ProgramRef& program, std::ostream& os);

}  // namespace tessera::graph
