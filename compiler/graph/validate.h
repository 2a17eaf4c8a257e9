// The compiler's first pass: everything that can only be checked once the graph is whole.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace tessera::graph {

// One kind for each of Poplar's exceptions that a graph can deserve.
enum class GraphErrorKind {
  kConnection,      // graph_connection_error
  kTileMapping,     // invalid_tile_mapping
  kControlProgram,  // control_program_error
  kRecursion,       // graph_recursion_error
  kType,            // type_error
  kStream,          // stream_connection_error
};

class GraphError : public std::runtime_error {
 public:
  GraphError(GraphErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  GraphErrorKind kind() const { return kind_; }

 private:
  GraphErrorKind kind_;
};

// Throws GraphError for the first fault in: mapping of every variable and vertex that the programs reach, connections
// of their vertices (missing, double, wrong rank or size), two vertices of a compute set touching one element that one
// of them writes, writes to constants and to repeated elements, sizes and types of copies, predicates, selectors,
// calls.
void validate(const Graph& graph, const std::vector<ProgramRef>& programs);

// Compute sets that the programs can execute, in order of id.
std::vector<ComputeSetId> reachable_compute_sets(const Graph& graph, const std::vector<ProgramRef>& programs);

}  // namespace tessera::graph
