// The graph that a program builds, as plain data in flat vectors: variables, vertices, compute sets, streams, host
// handles and functions. Ids are indices into these vectors. Tiles are physical tile numbers of the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/graph/codelet_info.h"
#include "compiler/graph/program.h"
#include "compiler/graph/tensor_view.h"
#include "compiler/graph/tile_map.h"
#include "compiler/graph/types.h"

namespace tessera::compiler {
struct CodeletLibrary;  // compiler/codelet/codelet_library.h; the graph only keeps it alive
}

namespace tessera::graph {

using VertexId = std::uint32_t;
using CodeletId = std::uint32_t;

inline constexpr std::uint32_t kNoTile = ~std::uint32_t{0};
inline constexpr std::uint32_t kWholeField = ~std::uint32_t{0};

// Bytes of elements [begin, begin + bytes / element size) of a variable, little-endian as on the tile.
struct InitialData {
  std::size_t begin;
  std::vector<std::uint8_t> bytes;  // of replica 0, where replicas differ
  // Of replicas 1 and on, each as many bytes; empty: all replicas have the same.
  std::vector<std::vector<std::uint8_t>> other_replicas{};
};

struct Variable {
  std::string name;  // debug path, may be empty
  ElementType type = ElementType::kFloat;
  std::size_t num_elements = 0;
  bool constant = false;
  // Constant: the bytes of one element (all elements equal) or of all elements.
  std::vector<std::uint8_t> constant_bytes;
  // Values after every load; later entries override earlier ones. A constant has them where replicas differ.
  std::vector<InitialData> initial;
  TileMap mapping;
};

// A list field has one connection for each entry, every other edge field one for the whole field.
struct Connection {
  std::uint32_t field;                // index in CodeletInfo::fields
  std::uint32_t index = kWholeField;  // entry of a list field
  TensorRef tensor;
};

// Initial value of a state field: the bytes of its elements as on the tile.
struct FieldValue {
  std::uint32_t field;
  std::vector<std::uint8_t> bytes;
};

struct FieldSize {
  std::uint32_t field;
  std::size_t size;  // entries of a list, elements of a vector that is state
};

struct Vertex {
  CodeletId codelet = 0;
  ComputeSetId compute_set = 0;
  std::uint32_t tile = kNoTile;
  std::vector<Connection> connections;
  std::vector<FieldValue> values;  // at most one a field
  std::vector<FieldSize> sizes;    // at most one a field
};

struct ComputeSet {
  std::string name;
  std::vector<VertexId> vertices;
};

struct Stream {
  std::string handle;
  ElementType type = ElementType::kFloat;
  std::size_t num_elements = 0;  // of one transfer
  bool to_device = true;
  std::map<std::string, std::string> options;
};

// Memory of the host (of the gateway, in a system that has one) with `repeats` rows.
struct RemoteBuffer {
  std::string handle;
  ElementType type = ElementType::kFloat;
  std::size_t num_elements = 0;  // of a row
  std::size_t repeats = 1;
};

struct HostFunctionArgument {
  ElementType type = ElementType::kFloat;
  std::size_t num_elements = 0;
};

struct HostFunction {
  std::string handle;
  std::vector<HostFunctionArgument> inputs, outputs;
};

struct HostHandle {
  std::string name;
  TensorRef tensor;
};

struct Function {
  ProgramRef program;
};

struct Codelet {
  CodeletInfo info;
  std::uint32_t library;  // index in Graph::libraries
};

// What the program says of a vertex.
struct PerfEstimate {
  std::uint64_t cycles = 0;  // of its worker
  std::uint64_t flops = 0;
};

using Estimates = std::map<VertexId, PerfEstimate>;

struct Graph {
  std::uint32_t num_tiles = 0;  // of one replica: of all its chips, numbered chip by chip
  std::uint32_t replicas = 1;   // that run what the graph describes, each on chips of its own
  std::vector<Variable> variables;
  std::vector<Vertex> vertices;
  Estimates estimates;  // of vertices that have one
  std::vector<ComputeSet> compute_sets;
  std::vector<Stream> streams;
  std::vector<RemoteBuffer> remote_buffers;
  std::vector<HostFunction> host_functions;
  std::vector<HostHandle> host_writes;
  std::vector<HostHandle> host_reads;
  std::vector<Function> functions;
  std::vector<Codelet> codelets;
  std::unordered_map<std::string, CodeletId> codelet_by_name;
  std::vector<std::shared_ptr<const compiler::CodeletLibrary>> libraries;
};

// "variable 'name'", or "unnamed variable 12" if it has no name.
std::string describe_variable(const Graph& graph, VariableId id);
// "vertex 7 of type 'Sum' in compute set 'cs' on tile 3"
std::string describe_vertex(const Graph& graph, VertexId id);
// Names of the variables that a view shows, at most three.
std::string describe_view(const Graph& graph, const TensorView& view);
// As a program would write it: "net/x", "net/x[8..15]" of elements 8 to 15 or some between them, "{a, b[3]}".
std::string name_view(const Graph& graph, const TensorView& view);

}  // namespace tessera::graph
