// The compiler's first pass: everything that can only be checked once the graph is whole.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace tessera::graph {

// One kind for each of Poplar's exceptions that a whole graph can deserve.
enum class GraphErrorKind {
  kConnection,      // graph_connection_error
  kTileMapping,     // invalid_tile_mapping
  kControlProgram,  // control_program_error
  kRecursion,       // graph_recursion_error
  kType,            // type_error
};

class GraphError : public std::runtime_error {
 public:
  GraphError(GraphErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  GraphErrorKind kind() const { return kind_; }

 private:
  GraphErrorKind kind_;
};

// Throws GraphError for the first fault in: mapping of everything that the programs reach; connections of vertices
// (missing, double, wrong rank or size, written constants or repeated elements); two vertices of a compute set that
// touch one element which one of them writes; sizes and types of copies, predicates and selectors; calls. `threads`: as
// in parallel.h. `tiles_of_chip`: of a graph for several chips; then no field of a vertex may be connected to tiles of
// two.
void validate(const Graph& graph, const std::vector<ProgramRef>& programs, unsigned threads = 1,
              std::uint32_t tiles_of_chip = kNoTile);

// The part of validate() that looks at one compute set.
void validate_compute_set(const Graph& graph, ComputeSetId id, unsigned threads, std::uint32_t tiles_of_chip = kNoTile);
// Throws kTileMapping unless every element has a tile. `user` says what uses the tensor.
void validate_mapping(const Graph& graph, const TensorView& view, const std::function<std::string()>& user);

// Compute sets that the programs can execute, in order of id. Throws kRecursion for a function that calls itself.
std::vector<ComputeSetId> reachable_compute_sets(const Graph& graph, const std::vector<ProgramRef>& programs);

}  // namespace tessera::graph
