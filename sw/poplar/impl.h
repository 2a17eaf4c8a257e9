// What stands behind the public classes, and the one door to it: detail::Access. For the library's own sources only.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <poplar/DataStream.hpp>
#include <poplar/Device.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/VertexIntrospector.hpp>

#include "compiler/graph/graph.h"
#include "compiler/graph/program.h"
#include "compiler/graph/tensor_view.h"
#include "compiler/graph/validate.h"

namespace poplar {
namespace detail {

// Tells graphs apart that exist in this process; 0 is no graph in particular.
using GraphNumber = std::uint64_t;
GraphNumber next_graph_number();

// A graph and all its virtual graphs share one of these.
struct GraphState {
  const GraphNumber number = next_graph_number();
  tessera::graph::Graph graph;
  std::mutex settling;
  Target device;  // the IPUs of all replicas
  Target target;  // of the top-level graph: the IPUs of one replica
  // Constants made for host scalars connected to a vertex: they go to the tile of their vertex.
  std::unordered_map<unsigned, std::vector<tessera::graph::VariableId>> vertex_constants;
  std::unordered_map<std::string, PerfEstimateFunc> estimators;  // by vertex type
  std::set<std::string> broadcasts;                              // handles of streams that all replicas share
  unsigned function_buffers = 0;                                 // made up to now
};

struct GraphImpl {
  std::shared_ptr<GraphState> state;
  Target target;                // as this graph shows it
  std::vector<unsigned> tiles;  // physical tile of each tile of a virtual graph; empty in the top-level graph

  unsigned num_tiles() const { return tiles.empty() ? state->graph.num_tiles : static_cast<unsigned>(tiles.size()); }
  // Throws invalid_tile_mapping if this graph has no such tile. `what` is what was to be mapped.
  unsigned checked_physical(unsigned tile, const std::string& what) const;
  unsigned physical(unsigned tile) const { return tiles.empty() ? tile : tiles[tile]; }

  // What is of this graph; throws poplar_error for what is of another. `function` is what it was given to.
  const tessera::graph::TensorRef& own(const Tensor& t, const char* function) const;
  void check_own(const VertexRef& v, const char* function) const;
  void check_own(const FieldRef& f, const char* function) const;
  void check_own(ComputeSet cs, const char* function) const;  // and exists
  void check_own(const program::Program& p, const char* function) const;
};

struct TensorImpl {
  std::shared_ptr<const GraphState> state;
  tessera::graph::TensorRef ref;
  Tensor metadata;  // of QUARTER
};

struct ProgramImpl : tessera::graph::Program {
  GraphNumber graph = 0;  // of all that is in it
};

struct Access {
  static GraphImpl& impl(const Graph& g) { return *g.impl_; }
  static tessera::graph::Graph& graph(Graph& g) { return g.impl_->state->graph; }
  // Ready to be read by several threads at once: engines may be made from one graph in parallel.
  static const tessera::graph::Graph& graph(const Graph& g) {
    const std::lock_guard<std::mutex> lock(g.impl_->state->settling);
    for (const tessera::graph::Variable& variable : g.impl_->state->graph.variables) variable.mapping.settle();
    return g.impl_->state->graph;
  }
  static Graph make_graph(std::unique_ptr<GraphImpl> impl) { return Graph(std::move(impl)); }

  static const TensorImpl& impl(const Tensor& t);  // throws poplar_error for an invalid tensor
  static const tessera::graph::TensorRef& ref(const Tensor& t) { return impl(t).ref; }
  static Tensor make_tensor(std::shared_ptr<const GraphState> state, tessera::graph::ElementType type,
                            tessera::graph::TensorView view, Tensor metadata = Tensor());

  static tessera::graph::ProgramRef program(const program::Program& p) { return p.impl_; }
  static const ProgramImpl& impl(const program::Program& p) { return *p.impl_; }

  static GraphNumber graph_number(const ComputeSet& cs) { return cs.graph_; }
  static GraphNumber graph_number(const Function& f) { return f.graph_; }
  static GraphNumber graph_number(const DataStream& s) { return s.graph_; }
  static ComputeSet make_compute_set(GraphNumber graph, unsigned id) { return ComputeSet(graph, id); }
  static Function make_function(GraphNumber graph, unsigned id) { return Function(graph, id); }

  static GraphNumber graph_number(const RemoteBuffer& b) { return b.graph_; }
  static GraphNumber graph_number(const HostFunction& f) { return f.graph_; }
  static unsigned remote_buffer_id(const RemoteBuffer& b) { return b.id_; }
  static unsigned host_function_id(const HostFunction& f) { return f.id_; }
  static RemoteBuffer make_remote_buffer(GraphNumber graph, unsigned id, const tessera::graph::RemoteBuffer& plain,
                                         const Type& type, bool rearrange, bool optimise, unsigned replicas);
  static HostFunction make_host_function(GraphNumber graph, unsigned id, std::string handle);

  static GraphNumber graph_number(const FunctionBuffer& b) { return b.graph_; }
  static unsigned function_of(const FunctionBuffer& b) { return b.function_; }
  static FunctionBuffer make_function_buffer(GraphNumber graph, unsigned id, unsigned function) {
    return FunctionBuffer(graph, id, function);
  }

  static unsigned stream_id(const DataStream& s) { return s.id_; }
  static DataStream make_stream(GraphNumber graph, std::string handle, std::size_t n, Type type,
                                DataStreamType direction, unsigned id, ReplicatedStreamMode mode, unsigned replicas);

  static GraphState* state(const FieldRef& f) { return f.graph_; }
  static unsigned vertex(const FieldRef& f) { return f.vertex_; }
  static unsigned field(const FieldRef& f) { return f.field_; }
  static VertexRef make_vertex_ref(GraphState* state, unsigned id) { return VertexRef(state, id); }
  static GraphState* state(const VertexRef& v) { return v.graph_; }

  static VertexIntrospector make_introspector(const GraphState& graph, unsigned vertex) {
    return VertexIntrospector(&graph, vertex);
  }

  static const std::shared_ptr<DeviceImpl>& impl(const Device& d) { return d.impl_; }
  static Device make_device(std::shared_ptr<DeviceImpl> impl) { return Device(std::move(impl)); }
  static const std::shared_ptr<const TargetImpl>& impl(const Target& t) { return t.impl_; }
  static Target make_target(std::shared_ptr<const TargetImpl> impl) { return Target(std::move(impl)); }
  static const std::shared_ptr<const ExecutableImpl>& compiled(const Executable& e);  // throws for an empty one
  static Executable make_executable(std::shared_ptr<const ExecutableImpl> impl) { return Executable(std::move(impl)); }
};

// Throws type_error for DOUBLE, which no element has.
tessera::graph::ElementType element_type(const Type& type);
inline Type public_type(tessera::graph::ElementType type) { return Type(static_cast<unsigned char>(type)); }

// Host values of a simple type as bytes of an element type on the tile; integers wrap, floats round to nearest even.
// Quarters need metadata unless all values are 0: type_error.
std::vector<std::uint8_t> convert_values(const void* values, std::size_t n, const TypeTraits& traits,
                                         tessera::graph::ElementType type, const QuarterMetadata* metadata = nullptr);
// An element on the tile as a number; no quarter.
long double element_value(tessera::graph::ElementType type, const std::uint8_t* bytes);

// Of a constant metadata tensor; none of any other tensor.
std::optional<QuarterMetadata> known_metadata(const Tensor& metadata);

// What the program's estimators say of vertices that have no estimate and are wholly connected.
tessera::graph::Estimates estimated(const Graph& graph);

// What to say of a shape that no tensor can have.
std::string too_many_elements(const std::vector<std::size_t>& shape);

// Throws the exception of Poplar that the graph error stands for.
[[noreturn]] void rethrow(const tessera::graph::GraphError& error);

}  // namespace detail
}  // namespace poplar
