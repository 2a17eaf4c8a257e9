// How long each vertex takes, in slots of a worker: what the program says (Graph::setPerfEstimate), else what its
// estimators have said, else an estimate from the codelet's code and the elements of its edges. Steers the balance of
// workers, never results.
#pragma once

#include "compiler/graph/graph.h"
#include "compiler/ir/program.h"
#include "compiler/passes/text/link_text.h"

namespace tessera::compiler {

// Sets ir::Vertex::cost.
void estimate_costs(const graph::Graph& graph, const Text& text, ir::Program& program, unsigned threads,
                    const graph::Estimates& estimated = {});

}  // namespace tessera::compiler
