// A graph: variables and vertices, and where they live. Building is lazy: names, types and shapes are checked at once,
// everything that depends on the whole graph when an Engine or Executable is made.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/CodeletFileType.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/FunctionBufferMappingType.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/SerializationFormat.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/TensorRearranger.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <poplar/VariableRef.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>
#include <poplar/version.hpp>

namespace poplar {

namespace detail {
struct GraphImpl;
}

struct replication_factor {
  explicit replication_factor(unsigned n) : value(n) {}
  explicit operator unsigned() const { return value; }
  unsigned value;
};

// Element type and number of elements.
using HostFunctionArgument = std::tuple<Type, std::size_t>;

class Graph {
 public:
  using HostFunctionArgument = poplar::HostFunctionArgument;
  // For each tile, intervals of the flattened tensor.
  using TileToTensorMapping = std::vector<std::vector<Interval>>;

  Graph();  // an empty graph for a device without tiles
  // With a replication factor r the target's IPUs are r replicas with as many IPUs each, of which the graph describes
  // one: getTarget() is that of a replica. Throws graph_replication_error if r does not divide the number of IPUs.
  explicit Graph(const Target& target, replication_factor r = replication_factor(1));
  explicit Graph(const Device& device, replication_factor r = replication_factor(1));
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  const Target& getTarget() const;
  unsigned getReplicationFactor() const;

  // Codelets from C++ source or from a .gp container made by popc. Throws graph_program_compilation_error with the
  // compiler's own message, file_load_error or graph_object_load_error. Gives true. targetName: "" or the target's
  // architecture or system, which is what all codelets are compiled for; poplar_error for another.
  bool addCodelets(StringRef src, CodeletFileType type = CodeletFileType::Auto, StringRef compileFlags = "",
                   StringRef targetName = "");
  bool addCodelets(ArrayRef<std::string> sources, StringRef compileFlags = "", StringRef targetName = "");
  bool addCodelets(std::stringstream& stream, StringRef compileFlags = "",
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  // The same with what the compiler says, warnings and errors, in compileOutput; a source that was compiled before is
  // not compiled again, and says nothing.
  bool addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, std::ostream& compileOutput,
                   StringRef targetName = "");
  bool addCodelets(ArrayRef<std::string> sources, StringRef compileFlags, std::ostream& compileOutput,
                   StringRef targetName = "");
  bool addCodelets(std::stringstream& stream, StringRef compileFlags, std::ostream& compileOutput,
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  bool hasCodelet(StringRef codeletName) const;

  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape, const DebugContext& debugContext = {});
  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape, VariableMappingMethod mappingMethod,
                     const DebugContext& debugContext = {});
  // With metadata: a tensor of one QUARTER_METADATA for elements of QUARTER, which need it; for others none, an invalid
  // tensor. Throws tensor_metadata_error otherwise.
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor addVariable(const Type& type, const M& metadata, ArrayRef<std::size_t> shape,
                     const DebugContext& debugContext = {}) {
    return withMetadata(addPlainVariable(type, shape, debugContext), metadata, "addVariable");
  }
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor addVariable(const Type& type, const M& metadata, ArrayRef<std::size_t> shape,
                     VariableMappingMethod mappingMethod, const DebugContext& debugContext = {}) {
    const Tensor t = addVariable(type, metadata, shape, debugContext);
    mapBy(mappingMethod, t);
    return t;
  }
  // One value for every element, or as many values as elements; converted to the element type.
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext& debugContext = {}) {
    checkNumValues(shape, values.size(), debugContext);
    return addConstant(type, shape, values.data(), TypeTraits::make<T>(), values.size() == 1, debugContext);
  }
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const T* values,
                     const DebugContext& debugContext = {}) {
    return addConstant(type, shape, values, TypeTraits::make<T>(), false, debugContext);
  }
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, T value, const DebugContext& debugContext = {}) {
    return addConstant(type, shape, &value, TypeTraits::make<T>(), true, debugContext);
  }
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const void* values, const TypeTraits& traits,
                     bool broadcast, const DebugContext& debugContext = {});
  // The values of QUARTER are rounded by the metadata, which must then be a constant, unless they are 0.
  template <class M, class T,
            class = typename std::enable_if<std::is_same<M, Tensor>::value && TypeTraits::isSimpleType<T>()>::type>
  Tensor addConstant(const Type& type, const M& metadata, ArrayRef<std::size_t> shape, T value,
                     const DebugContext& debugContext = {}) {
    return addConstantWith(type, metadata, shape, &value, TypeTraits::make<T>(), true, debugContext);
  }
  template <class T, class M,
            class = typename std::enable_if<std::is_same<M, Tensor>::value && TypeTraits::isSimpleType<T>()>::type>
  Tensor addConstant(const Type& type, const M& metadata, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext& debugContext = {}) {
    checkNumValues(shape, values.size(), debugContext);
    return addConstantWith(type, metadata, shape, values.data(), TypeTraits::make<T>(), values.size() == 1,
                           debugContext);
  }
  template <class M, class T,
            class = typename std::enable_if<std::is_same<M, Tensor>::value && TypeTraits::isSimpleType<T>()>::type>
  Tensor addConstant(const Type& type, const M& metadata, ArrayRef<std::size_t> shape, const T* values,
                     const DebugContext& debugContext = {}) {
    return addConstantWith(type, metadata, shape, values, TypeTraits::make<T>(), false, debugContext);
  }
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                         const DebugContext& debugContext = {});
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, const std::uint16_t* values,
                         const DebugContext& debugContext = {});

  // The number of the replica that reads it: an UNSIGNED_INT constant without dimensions, not mapped.
  Tensor addReplicationIndexConstant(const DebugContext& debugContext = {});

  // New variables of the shape and tile mapping of the tensor.
  Tensor clone(const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  Tensor clone(const Type& type, const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  // With metadata as addVariable has it. Without, clones of QUARTER have a clone of the metadata.
  template <class T, class = typename std::enable_if<std::is_same<T, Tensor>::value>::type>
  Tensor clone(const Type& type, const Tensor& metadata, const T& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return withMetadata(clonePlain(type, t, debugContext, method), metadata, "clone");
  }
  template <class T, class = typename std::enable_if<std::is_same<T, Tensor>::value>::type>
  Tensor clone(const Tensor& metadata, const T& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return clone(t.elementType(), metadata, t, debugContext, method);
  }
  // n clones in a new outermost dimension; by tile contiguous region: the clones of what lies together on a tile lie
  // together there, in the order of the view, and `method` is not asked.
  Tensor cloneN(const Tensor& t, std::size_t n, const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplication = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);
  Tensor cloneN(const Type& type, const Tensor& t, std::size_t n, const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplication = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);

  // All clones have that metadata, which is as clone has it.
  Tensor cloneN(const Type& type, const Tensor& metadata, const Tensor& t, std::size_t n,
                const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplication = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);
  Tensor cloneN(const Tensor& metadata, const Tensor& t, std::size_t n, const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplication = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION) {
    return cloneN(t.elementType(), metadata, t, n, debugContext, method, duplication);
  }

  ComputeSet addComputeSet(const DebugContext& debugContext = {});
  VertexRef addVertex(ComputeSet cs, StringRef vertexType);
  VertexRef addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections);
  // A vertex that drives the exchange with what is outside of the chip. No codelet of this machine can, since events
  // of an exchange are scheduled when a graph is compiled: always throws, unknown_vertex_type for a type that there is
  // not, else graph_object_creation_error.
  VertexRef addExternalExchangeVertex(ComputeSet cs, StringRef vertexType, unsigned incomingDownCount,
                                      bool usesEastEdge, bool sendsXReq);
  unsigned getNumVertices() const;

  void connect(FieldRef field, const Tensor& tensor);
  void connect(FieldRef field, ArrayRef<Tensor> tensors);
  // Connects a constant.
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  void connect(FieldRef field, T value) {
    connect(field, &value, TypeTraits::make<T>());
  }
  void connect(FieldRef field, const void* value, const TypeTraits& traits);

  // Initial value of vertex state.
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  void setInitialValue(FieldRef field, T value) {
    setInitialValue(field, &value, 1, TypeTraits::make<T>());
  }
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  void setInitialValue(FieldRef field, ArrayRef<T> values) {
    setInitialValue(field, values.data(), values.size(), TypeTraits::make<T>());
  }
  void setInitialValue(FieldRef field, const void* values, std::size_t n, const TypeTraits& traits);
  void setInitialValueHalf(FieldRef field, std::uint16_t value);
  void setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values);

  // Values that the elements have after every Engine::load.
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  void setInitialValue(const Tensor& t, T value) {
    setInitialValue(t, &value, 1, TypeTraits::make<T>());
  }
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  void setInitialValue(const Tensor& t, ArrayRef<T> values) {
    setInitialValue(t, values.data(), values.size(), TypeTraits::make<T>());
  }
  void setInitialValue(const Tensor& t, const void* values, std::size_t n, const TypeTraits& traits);
  // The value of all elements in each replica. Throws graph_replication_error unless the map has one for each.
  void setInitialValue(const Tensor& t, const std::map<unsigned, unsigned>& valueOfReplica);
  void setInitialValueHalf(const Tensor& t, std::uint16_t value);
  void setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values);

  // Number of entries of a list field, or elements of a vector that is vertex state.
  void setFieldSize(FieldRef field, std::size_t size);
  std::size_t getFieldSize(FieldRef field) const;  // throws no_size_specified
  // The most that a field's layout can say, whatever memory there is: elements of a vector or entries of a list (dim
  // 0), elements of an entry of a list (dim 1). Throws unknown_vertex_type, unknown_field, index_error.
  std::size_t getMaxFieldDim(StringRef vertexType, StringRef fieldName, unsigned dim) const;
  // The largest value that an element of the field can have. Throws unknown_vertex_type, unknown_field.
  double getMaxVertexFieldValue(StringRef vertexType, StringRef fieldName) const;
  // The same without loss; they throw type_error for floating-point fields, and if the value is too large for them.
  std::int64_t getMaxVertexFieldValueAsInt64(StringRef vertexType, StringRef fieldName) const;
  std::uint64_t getMaxVertexFieldValueAsUInt64(StringRef vertexType, StringRef fieldName) const;
  // T: std::int64_t or std::uint64_t.
  template <class T>
  T getMaxVertexFieldValueAs(StringRef vertexType, StringRef fieldName) const;

  void setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops = 0);
  void setPerfEstimate(const VertexRef& v, const VertexPerfEstimate& estimate);
  // What setPerfEstimate was given, else what the estimator of the vertex's type says; throws missing_perf_estimate.
  VertexPerfEstimate getPerfEstimate(const VertexRef& v) const;
  // For vertices of a type whose estimate is not set; the last one registered counts. The type need not be known yet.
  // Throws poplar_error for an empty function.
  void registerPerfEstimator(StringRef vertexType, PerfEstimateFunc estimator);
  void registerCycleEstimator(StringRef vertexType, CycleEstimateFunc estimator) {
    registerPerfEstimator(vertexType, estimator);
  }
  void setCycleEstimate(const VertexRef& v, std::uint64_t cycles) { setPerfEstimate(v, cycles); }

  // Throws invalid_tile_mapping for a tile that the target does not have. Later mappings override earlier ones.
  void setTileMapping(VertexRef v, unsigned tile);
  void setTileMapping(const Tensor& t, unsigned tile);
  void setTileMapping(const Tensor& t, const TileToTensorMapping& mapping);
  // One entry a tile. Throws invalid_tile_mapping if requireComplete and an element is not mapped, or if an element
  // is mapped outside this virtual graph and allowExternal is false.
  TileToTensorMapping getTileMapping(const Tensor& t, bool requireComplete = true, bool allowExternal = false) const;
  TileToTensorMapping getTileMapping(const Tensor& t, bool* isComplete, bool allowExternal = false) const;
  // Of the whole variable that t's element 0 belongs to.
  TileToTensorMapping getVariableTileMapping(const Tensor& t) const;

  // The whole variable, of rank 1. Throws poplar_error for a variable this graph does not have.
  Tensor getVariable(VariableRef variable) const;
  bool isConstant(VariableRef variable) const;

  void createHostWrite(StringRef handle, const Tensor& t, bool rearrangeOnHost = false);
  void createHostRead(StringRef handle, const Tensor& t, bool rearrangeOnHost = false);
  DataStream addHostToDeviceFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                 ReplicatedStreamMode mode = ReplicatedStreamMode::REPLICATE,
                                 const OptionFlags& options = {});
  DataStream addDeviceToHostFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                 const OptionFlags& options = {});

  Function addFunction(const program::Program& program);
  // Keeps the function's code outside of the tiles too, for programs that load it before they call it.
  FunctionBuffer addFunctionBuffer(const Function& function, FunctionBufferMappingType mappingType);
  // `repeats` rows of numElements; all zero until something is written. The last two change nothing (RemoteBuffer).
  // Throws poplar_error for a handle that is taken, and a buffer without elements or of more than 2^40 bytes.
  RemoteBuffer addRemoteBuffer(StringRef handle, const Type& elementType, std::size_t numElements,
                               std::size_t repeats = 1, bool rearrangeOnHost = false, bool optimiseMemory = false);
  // Element types and numbers of what a call takes and gives. Throws poplar_error for a handle that is taken.
  HostFunction addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                               ArrayRef<HostFunctionArgument> outputs);

  // The given intervals of the flattened t, cut where memory is not contiguous, sorted by place in memory; intervals
  // that follow each other in memory make one group. With removeAliases each element comes once. aliases receives, for
  // each interval of the result, where in t the same elements stand for the first time: the interval's own begin where
  // that is it. For that, intervals are cut where others of the same memory begin or end.
  std::vector<std::vector<Interval>> getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                                                                bool removeAliases = false,
                                                                std::vector<std::size_t>* aliases = nullptr) const;
  // Permutes the elements of t, and of each of ts in the same way, so that t has as few contiguous regions as
  // possible. All are flattened.
  void reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool requireSimplestOrder = true) const;
  TensorRearranger getSimplifyingRearranger(const Tensor& t) const;  // the same permutation, to apply and to undo
  // The part that repeats along each dimension, once: broadcast back to the shape of t, it is t. Of the same rank.
  Tensor findUnbroadcastTensor(const Tensor& t) const;

  // A view of this graph that has only some tiles, numbered from 0: the first, or those named, of each IPU; or those
  // from one tile to before another, of one IPU, or all of several. Throws invalid_tile_mapping for tiles that there
  // are not.
  Graph createVirtualGraph(unsigned numTilesPerIPU);
  Graph createVirtualGraph(const std::vector<unsigned>& perIpuTiles);
  Graph createVirtualGraph(unsigned lowerTile, unsigned upperTile);
  Graph getTopLevelGraph();
  // Tiles by their numbers here and in the device. Throws invalid_tile_mapping for a tile that this graph does not
  // have.
  unsigned convertVirtualTileToPhysicalTile(unsigned tile) const;
  unsigned convertPhysicalTileToVirtualTile(unsigned physicalTile) const;
  // tile: of that IPU of a replica.
  unsigned convertPhysicalTileToVirtualTile(unsigned ipu, unsigned tile) const;
  unsigned convertTileToTopLevelGraphTile(unsigned tile) const { return convertVirtualTileToPhysicalTile(tile); }
  unsigned convertTopLevelGraphTileToTile(unsigned tile) const { return convertPhysicalTileToVirtualTile(tile); }

  // Graphviz pictures: of vertices and variables, and of compute sets.
  void outputVertexGraph(std::ostream& os, ArrayRef<program::Program> programs = {}) const;
  void outputComputeGraph(std::ostream& os, ArrayRef<program::Program> programs = {}) const;
  // Everything in the graph, for programs that look into it: variables with their tiles, vertices with what their
  // fields are connected to, compute sets, streams, handles. Throws poplar_error when the stream takes no more.
  void serialize(std::ostream& os, SerializationFormat format) const;

 private:
  explicit Graph(std::unique_ptr<detail::GraphImpl> impl);
  static void checkNumValues(ArrayRef<std::size_t> shape, std::size_t n, const DebugContext& debugContext);
  void mapBy(VariableMappingMethod method, const Tensor& t);
  void setValueOfReplica(const Tensor& t, const std::vector<unsigned>& values);
  Graph virtualGraph(const std::vector<unsigned>& tiles, unsigned numIPUs);
  Tensor addPlainVariable(const Type& type, ArrayRef<std::size_t> shape, const DebugContext& debugContext);
  Tensor addConstantWith(const Type& type, const Tensor& metadata, ArrayRef<std::size_t> shape, const void* values,
                         const TypeTraits& traits, bool broadcast, const DebugContext& debugContext);
  Tensor clonePlain(const Type& type, const Tensor& t, const DebugContext& debugContext, TensorCloneMethod method);
  Tensor withMetadata(const Tensor& t, const Tensor& metadata, const char* function) const;
  friend struct detail::Access;
  std::unique_ptr<detail::GraphImpl> impl_;
};

template <>
inline std::int64_t Graph::getMaxVertexFieldValueAs<std::int64_t>(StringRef vertexType, StringRef fieldName) const {
  return getMaxVertexFieldValueAsInt64(vertexType, fieldName);
}
template <>
inline std::uint64_t Graph::getMaxVertexFieldValueAs<std::uint64_t>(StringRef vertexType, StringRef fieldName) const {
  return getMaxVertexFieldValueAsUInt64(vertexType, fieldName);
}

// One QUARTER_METADATA on tile 0. Throw poplar_error for a scale that is not -32 to 31.
Tensor createConstantMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext = {});
// It has the value after every Engine::load.
Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext = {});

}  // namespace poplar
