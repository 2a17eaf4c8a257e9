// Making graphs, variables, constants, clones, streams, host handles, functions and virtual graphs.
#include <poplar/Graph.hpp>

#include <algorithm>
#include <numeric>

#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"
#include "sw/poplar/option_table.h"

namespace poplar {

namespace g = tessera::graph;
namespace log = tessera::log;
using detail::Access;

namespace {

std::size_t count(ArrayRef<std::size_t> shape) {
  const auto elements = g::element_count({shape.data(), shape.size()});
  if (!elements) throw poplar_error(detail::too_many_elements(shape.cloneAsVector()));
  return *elements;
}

Tensor add_variable(const detail::GraphImpl& impl, g::Variable variable, ArrayRef<std::size_t> shape) {
  variable.num_elements = count(shape);
  const g::ElementType type = variable.type;
  std::vector<g::Variable>& variables = impl.state->graph.variables;
  variables.push_back(std::move(variable));
  const g::VariableId id = static_cast<g::VariableId>(variables.size() - 1);
  log::write(log::Module::kTensor, log::Level::kTrace,
             [&] { return "new " + g::describe_variable(impl.state->graph, id); });
  return Access::make_tensor(impl.state, type, g::TensorView::whole(id, {shape.data(), shape.size()}));
}

// Maps elements from `at` on as those of the run are mapped; gives their number.
std::size_t copy_mapping(const g::Graph& graph, const g::VariableRun& run, std::size_t at, g::TileMap& out) {
  const g::TileMap& mapping = graph.variables[run.variable].mapping;
  const std::vector<g::TileInterval>& intervals = mapping.intervals();
  for (std::size_t i = mapping.find(run.begin); i < intervals.size() && intervals[i].begin < run.end; ++i) {
    const std::size_t begin = std::max(run.begin, intervals[i].begin);
    const std::size_t end = std::min(run.end, intervals[i].end);
    out.assign(at + begin - run.begin, at + end - run.begin, intervals[i].tile);
  }
  return run.end - run.begin;
}

// A new variable for each clone, in the order of the source's memory where that takes no more room than its elements.
g::TensorView cloned_view(g::Graph& graph, const g::TensorView& view, g::Variable variable, TensorCloneMethod method) {
  const bool keep_aliases = method == TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES ||
                            method == TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES;
  const std::vector<g::VariableRun> bounds = view.bounding_runs();
  std::size_t room = 0;
  for (const g::VariableRun& run : bounds) room += run.end - run.begin;
  const bool compact = room == view.num_elements() && !view.contains_aliases();
  const g::VariableId id = static_cast<g::VariableId>(graph.variables.size());
  if (!keep_aliases && (method == TensorCloneMethod::CREATE_NEW_ORDER || !compact)) {
    variable.num_elements = view.num_elements();
    std::size_t at = 0;
    view.for_each_run([&](const g::VariableRun& run) { at += copy_mapping(graph, run, at, variable.mapping); });
    graph.variables.push_back(std::move(variable));
    return g::TensorView::whole(id, {view.shape().data(), view.shape().size()});
  }
  variable.num_elements = room;
  std::size_t at = 0;
  for (const g::VariableRun& run : bounds) {
    at += copy_mapping(graph, run, at, variable.mapping);
  }
  graph.variables.push_back(std::move(variable));
  return view.rebased(bounds, id);
}

// The metadata of a clone of that type: none if it has none, or if t has none to clone.
Tensor cloned_metadata(Graph& graph, const Type& type, const Tensor& t, const DebugContext& debugContext) {
  return type.requiresMetadata() && t.hasMetadata() ? graph.clone(t.getMetadata(), debugContext) : Tensor();
}

void check_new_handle(const std::string& name, const std::vector<g::HostHandle>& handles, const char* what) {
  for (const g::HostHandle& h : handles) {
    if (h.name == name) throw poplar_error(std::string("There is already a ") + what + " '" + name + "'");
  }
}

void check_stream_option(const g::Stream& stream, const std::string& key, const std::string& value) {
  const std::string name = "stream '" + stream.handle + "'";
  tessera::runtime::check(tessera::runtime::stream_options(), key, value, name);
  const std::uint64_t number = tessera::runtime::parse_number(value).value_or(0);
  const std::uint64_t bytes = stream.num_elements * g::size_of(stream.type);
  if (key == "splitLimit" && number != 0 && number < bytes)
    throw invalid_option(name + ": stream option 'splitLimit' is '" + value + "': a transfer of " +
                         std::to_string(bytes) + " bytes is not split; leave it out, or make the stream smaller");
  if (key == "bufferingDepth" && number != 1 && !stream.to_device)
    throw invalid_option(name + ": stream option 'bufferingDepth' is '" + value +
                         "': data from the device is handed over at once, through one buffer; leave it out or give 1");
}

DataStream add_stream(detail::GraphState& state, const std::string& handle, const Type& type, std::size_t n,
                      bool to_device, ReplicatedStreamMode mode, const OptionFlags& options) {
  g::Graph& graph = state.graph;
  for (const g::Stream& s : graph.streams) {
    if (s.handle == handle) throw poplar_error("There is already a stream '" + handle + "'");
  }
  if (n > g::kMostElements)
    throw poplar_error("Stream '" + handle + "': " + std::to_string(n) + " elements are more than any tensor can have");
  g::Stream stream{handle, detail::element_type(type), n, to_device, {}};
  for (const auto& [key, value] : options) {
    check_stream_option(stream, key, value);
    stream.options.emplace(key, value);
  }
  graph.streams.push_back(std::move(stream));
  if (mode == ReplicatedStreamMode::BROADCAST) state.broadcasts.insert(handle);
  return Access::make_stream(state.number, handle, n, type,
                             to_device ? DataStreamType::HostToDeviceFIFO : DataStreamType::DeviceToHostFIFO,
                             static_cast<unsigned>(graph.streams.size() - 1), mode, graph.replicas);
}

}  // namespace

Graph::Graph() : impl_(std::make_unique<detail::GraphImpl>()) { impl_->state = std::make_shared<detail::GraphState>(); }

namespace {

// The target of each of r replicas.
Target of_replica(const Target& target, unsigned r) {
  const unsigned ipus = target.getNumIPUs();
  if (r == 0 || ipus % r != 0)
    throw graph_replication_error("Replication factor " + std::to_string(r) + " does not divide the " +
                                  std::to_string(ipus) + (ipus == 1 ? " IPU" : " IPUs") + " of the target");
  return r == 1 ? target : target.createVirtualTarget(ipus / r, target.getTilesPerIPU());
}

}  // namespace

Graph::Graph(const Target& target, replication_factor r) : Graph() {
  impl_->state->device = target;
  impl_->target = impl_->state->target = of_replica(target, r.value);
  impl_->state->graph.num_tiles = impl_->target.getNumTiles();
  impl_->state->graph.replicas = r.value;
}

Graph::Graph(const Device& device, replication_factor r) : Graph(device.getTarget(), r) {}
Graph::Graph(std::unique_ptr<detail::GraphImpl> impl) : impl_(std::move(impl)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

const Target& Graph::getTarget() const { return impl_->target; }
unsigned Graph::getReplicationFactor() const { return impl_->state->graph.replicas; }

Tensor Graph::addVariable(const Type& type, ArrayRef<std::size_t> shape, const DebugContext& debugContext) {
  return withMetadata(addPlainVariable(type, shape, debugContext), Tensor(), "addVariable");
}

Tensor Graph::addPlainVariable(const Type& type, ArrayRef<std::size_t> shape, const DebugContext& debugContext) {
  g::Variable variable;
  variable.name = debugContext.getPathName();
  variable.type = detail::element_type(type);
  return add_variable(*impl_, std::move(variable), shape);
}

Tensor Graph::addVariable(const Type& type, ArrayRef<std::size_t> shape, VariableMappingMethod mappingMethod,
                          const DebugContext& debugContext) {
  Tensor t = addVariable(type, shape, debugContext);
  mapBy(mappingMethod, t);
  return t;
}

void Graph::mapBy(VariableMappingMethod method, const Tensor& t) {
  if (method == VariableMappingMethod::NONE) return;
  const unsigned tiles = impl_->num_tiles();
  if (tiles == 0) throw invalid_tile_mapping("Linear mapping in a graph without tiles");
  const std::size_t n = t.numElements();
  const std::size_t share = (n + tiles - 1) / tiles;
  g::TileMap& mapping = impl_->state->graph.variables.back().mapping;
  for (std::size_t begin = 0; begin < n; begin += share) {
    mapping.assign(begin, std::min(n, begin + share), impl_->physical(static_cast<unsigned>(begin / share)));
  }
}

void Graph::checkNumValues(ArrayRef<std::size_t> shape, std::size_t n, const DebugContext& debugContext) {
  if (n == 1 || n == count(shape)) return;
  throw tensor_creation_error("Constant '" + debugContext.getPathName() + "' of " + std::to_string(count(shape)) +
                              " elements from " + std::to_string(n) + " values");
}

Tensor Graph::addConstant(const Type& type, ArrayRef<std::size_t> shape, const void* values, const TypeTraits& traits,
                          bool broadcast, const DebugContext& debugContext) {
  return addConstantWith(type, Tensor(), shape, values, traits, broadcast, debugContext);
}

Tensor Graph::addConstantWith(const Type& type, const Tensor& metadata, ArrayRef<std::size_t> shape, const void* values,
                              const TypeTraits& traits, bool broadcast, const DebugContext& debugContext) {
  const std::optional<QuarterMetadata> known = detail::known_metadata(metadata);
  g::Variable constant;
  constant.name = debugContext.getPathName();
  constant.type = detail::element_type(type);
  constant.constant = true;
  constant.constant_bytes =
      detail::convert_values(values, broadcast ? 1 : count(shape), traits, constant.type, known ? &*known : nullptr);
  return withMetadata(add_variable(*impl_, std::move(constant), shape), metadata, "addConstant");
}

Tensor Graph::addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                              const DebugContext& debugContext) {
  return addConstant(type, shape, &value, TypeTraits::make<half>(), true, debugContext);
}

Tensor Graph::addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, const std::uint16_t* values,
                              const DebugContext& debugContext) {
  return addConstant(type, shape, values, TypeTraits::make<half>(), false, debugContext);
}

namespace {

// What of the flattened tensor lies on one tile and what on none, in order.
std::vector<Interval> stretches(const Graph& graph, const Tensor& t) {
  std::vector<Interval> mapped, all;
  bool complete = false;
  for (const std::vector<Interval>& of_tile : graph.getTileMapping(t, &complete))
    mapped.insert(mapped.end(), of_tile.begin(), of_tile.end());
  std::sort(mapped.begin(), mapped.end());
  std::size_t at = 0;
  for (const Interval& interval : mapped) {
    if (interval.begin() != at) all.emplace_back(at, interval.begin());
    all.push_back(interval);
    at = interval.end();
  }
  if (at != t.numElements()) all.emplace_back(at, t.numElements());
  return all;
}

Tensor cloned_by_region(Graph& graph, const Type& type, const Tensor& metadata, const Tensor& t, std::size_t n,
                        const DebugContext& debugContext) {
  if (t.numElements() == 0) return graph.cloneN(type, metadata, t, n, debugContext);
  const Tensor flat = t.flatten();
  std::vector<Tensor> parts;
  for (const Interval& stretch : stretches(graph, t))
    parts.push_back(graph.clone(type, metadata, flat.slice(stretch).expand({0}).broadcast(static_cast<unsigned>(n), 0),
                                debugContext, TensorCloneMethod::CREATE_NEW_ORDER));
  std::vector<std::size_t> shape = t.shape();
  shape.insert(shape.begin(), n);
  return concat(parts, 1).reshape(shape);
}

}  // namespace

Tensor Graph::addReplicationIndexConstant(const DebugContext& debugContext) {
  const Tensor index = addConstant(UNSIGNED_INT, {}, 0u, debugContext);
  std::vector<unsigned> numbers(getReplicationFactor());
  std::iota(numbers.begin(), numbers.end(), 0u);
  setValueOfReplica(index, numbers);
  return index;
}

Tensor Graph::clone(const Tensor& t, const DebugContext& debugContext, TensorCloneMethod method) {
  return clone(t.elementType(), t, debugContext, method);
}

Tensor Graph::clone(const Type& type, const Tensor& t, const DebugContext& debugContext, TensorCloneMethod method) {
  return withMetadata(clonePlain(type, t, debugContext, method), cloned_metadata(*this, type, t, debugContext),
                      "clone");
}

Tensor Graph::clonePlain(const Type& type, const Tensor& t, const DebugContext& debugContext,
                         TensorCloneMethod method) {
  g::Variable variable;
  variable.name = debugContext.getPathName().empty() ? t.getDebugStr() : debugContext.getPathName();
  variable.type = detail::element_type(type);
  const g::ElementType element_type = variable.type;
  g::TensorView view = cloned_view(impl_->state->graph, impl_->own(t, "clone").view, std::move(variable), method);
  return Access::make_tensor(impl_->state, element_type, std::move(view));
}

Tensor Graph::cloneN(const Tensor& t, std::size_t n, const DebugContext& debugContext, TensorCloneMethod method,
                     TensorCloneDuplicationMethod duplication) {
  return cloneN(t.elementType(), t, n, debugContext, method, duplication);
}

Tensor Graph::cloneN(const Type& type, const Tensor& t, std::size_t n, const DebugContext& debugContext,
                     TensorCloneMethod method, TensorCloneDuplicationMethod duplication) {
  return cloneN(type, cloned_metadata(*this, type, t, debugContext), t, n, debugContext, method, duplication);
}

Tensor Graph::cloneN(const Type& type, const Tensor& metadata, const Tensor& t, std::size_t n,
                     const DebugContext& debugContext, TensorCloneMethod method,
                     TensorCloneDuplicationMethod duplication) {
  if (n == 0) throw tensor_creation_error("cloneN: no clones of " + t.getVarStr());
  if (duplication == TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION)
    return cloned_by_region(*this, type, metadata, t, n, debugContext);
  std::vector<Tensor> clones;
  for (std::size_t i = 0; i < n; ++i)
    clones.push_back(withMetadata(clonePlain(type, t, debugContext, method), metadata, "cloneN").expand({0}));
  return concat(clones);
}

void Graph::createHostWrite(StringRef handle, const Tensor& t, bool) {
  g::Graph& graph = impl_->state->graph;
  check_new_handle(handle, graph.host_writes, "host write");
  const g::TensorRef& own = impl_->own(t, "createHostWrite");
  if (!t.isParallelWriteable()) {
    throw poplar_error("Host write '" + handle.cloneAsString() + "': " + t.getVarStr() +
                       " has constant or repeated elements");
  }
  graph.host_writes.push_back({handle, own});
}

void Graph::createHostRead(StringRef handle, const Tensor& t, bool) {
  g::Graph& graph = impl_->state->graph;
  check_new_handle(handle, graph.host_reads, "host read");
  graph.host_reads.push_back({handle, impl_->own(t, "createHostRead")});
}

DataStream Graph::addHostToDeviceFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                      ReplicatedStreamMode mode, const OptionFlags& options) {
  return add_stream(*impl_->state, handle, elementType, numElements, true, mode, options);
}

DataStream Graph::addDeviceToHostFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                      const OptionFlags& options) {
  return add_stream(*impl_->state, handle, elementType, numElements, false, ReplicatedStreamMode::REPLICATE, options);
}

Function Graph::addFunction(const program::Program& program) {
  impl_->check_own(program, "addFunction");
  std::vector<g::Function>& functions = impl_->state->graph.functions;
  functions.push_back({Access::program(program)});
  return Access::make_function(impl_->state->number, static_cast<unsigned>(functions.size() - 1));
}

Graph Graph::createVirtualGraph(unsigned numTilesPerIPU) {
  std::vector<unsigned> tiles(numTilesPerIPU);
  std::iota(tiles.begin(), tiles.end(), 0u);
  return createVirtualGraph(tiles);
}

Graph Graph::createVirtualGraph(const std::vector<unsigned>& perIpuTiles) {
  const unsigned ipus = impl_->target.getNumIPUs(), each = impl_->target.getTilesPerIPU();
  std::vector<unsigned> tiles;
  for (unsigned ipu = 0; ipu < ipus; ++ipu)
    for (const unsigned tile : perIpuTiles) {
      if (ipus > 1 && tile >= each)
        throw invalid_tile_mapping("Tile " + std::to_string(tile) + " of each IPU for virtual graph, but an IPU has " +
                                   std::to_string(each) + " tiles");
      tiles.push_back(ipu * each + tile);
    }
  return virtualGraph(tiles, ipus);
}

Graph Graph::createVirtualGraph(unsigned lowerTile, unsigned upperTile) {
  std::vector<unsigned> tiles;
  for (unsigned tile = lowerTile; tile < upperTile; ++tile) tiles.push_back(tile);
  if (tiles.empty()) return virtualGraph(tiles, 1);
  impl_->checked_physical(upperTile - 1, "virtual graph");
  const unsigned each = impl_->target.getTilesPerIPU();
  const unsigned ipus = (upperTile - 1) / each - lowerTile / each + 1;
  if (ipus > 1 && (lowerTile % each != 0 || upperTile % each != 0))
    throw invalid_tile_mapping("Tiles " + std::to_string(lowerTile) + " to " + std::to_string(upperTile - 1) +
                               " for virtual graph are of several IPUs, of which it has not all " +
                               std::to_string(each) + " tiles");
  return virtualGraph(tiles, ipus);
}

Graph Graph::virtualGraph(const std::vector<unsigned>& tiles, unsigned numIPUs) {
  if (tiles.empty()) throw poplar_error("createVirtualGraph: no tiles");
  auto impl = std::make_unique<detail::GraphImpl>();
  impl->state = impl_->state;
  for (const unsigned tile : tiles) impl->tiles.push_back(impl_->checked_physical(tile, "virtual graph"));
  impl->target = impl_->target.createVirtualTarget(numIPUs, static_cast<unsigned>(tiles.size()) / numIPUs);
  return Access::make_graph(std::move(impl));
}

Graph Graph::getTopLevelGraph() {
  auto impl = std::make_unique<detail::GraphImpl>();
  impl->state = impl_->state;
  impl->target = impl_->state->target;
  return Access::make_graph(std::move(impl));
}

unsigned Graph::convertVirtualTileToPhysicalTile(unsigned tile) const {
  return impl_->checked_physical(tile, "virtual tile");
}

unsigned Graph::convertPhysicalTileToVirtualTile(unsigned physicalTile) const {
  const std::vector<unsigned>& tiles = impl_->tiles;
  if (tiles.empty()) return impl_->checked_physical(physicalTile, "physical tile");
  const auto found = std::find(tiles.begin(), tiles.end(), physicalTile);
  if (found == tiles.end())
    throw invalid_tile_mapping("Physical tile " + std::to_string(physicalTile) + " is not in the virtual graph of " +
                               std::to_string(tiles.size()) + " tiles");
  return static_cast<unsigned>(found - tiles.begin());
}

unsigned Graph::convertPhysicalTileToVirtualTile(unsigned ipu, unsigned tile) const {
  const unsigned each = impl_->state->target.getTilesPerIPU();
  if (ipu >= impl_->state->target.getNumIPUs() || tile >= each)
    throw invalid_tile_mapping("There is no tile " + std::to_string(tile) + " of IPU " + std::to_string(ipu) +
                               ": there are " + std::to_string(impl_->state->target.getNumIPUs()) + " IPUs of " +
                               std::to_string(each) + " tiles");
  return convertPhysicalTileToVirtualTile(ipu * each + tile);
}

}  // namespace poplar
