// Compute sets, vertices and what their fields are connected to.
#include <algorithm>

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;

namespace {

const g::CodeletInfo& codelet_of(const detail::GraphState& state, unsigned vertex) {
  return state.graph.codelets[state.graph.vertices[vertex].codelet].info;
}

std::string describe(const FieldRef& f) {
  return "field '" + f.getFieldName() + "' of " + g::describe_vertex(Access::state(f)->graph, Access::vertex(f));
}

const g::CodeletField& field_info(const FieldRef& f) {
  return codelet_of(*Access::state(f), Access::vertex(f)).fields[Access::field(f)];
}

g::Vertex& vertex_of(const FieldRef& f) { return Access::state(f)->graph.vertices[Access::vertex(f)]; }

void set_size(g::Vertex& vertex, unsigned field, std::size_t size) {
  for (g::FieldSize& s : vertex.sizes) {
    if (s.field == field) {
      s.size = size;
      return;
    }
  }
  vertex.sizes.push_back({field, size});
}

void check_type(const FieldRef& f, const g::TensorRef& tensor) {
  const g::ElementType type = field_info(f).type;
  if (type == tensor.type) return;
  throw type_error("Tensor of type " + std::string(g::name_of(tensor.type)) + " (" +
                   g::describe_view(Access::state(f)->graph, tensor.view) + ") connected to " + describe(f) +
                   " of type " + std::string(g::name_of(type)));
}

void check_edge(const FieldRef& f) {
  if (!field_info(f).is_edge()) throw graph_connection_error("Tensor connected to vertex state, " + describe(f));
}

// Connects the metadata of a tensor of quarters to the field behind, which is that of all entries of a list.
void connect_metadata(const FieldRef& f, const Tensor& tensor) {
  if (field_info(f).type != g::ElementType::kQuarter) return;
  g::Vertex& vertex = vertex_of(f);
  const std::uint32_t behind = Access::field(f) + 1;
  const Tensor of_tensor = tensor.getMetadata();
  const g::TensorRef& metadata = Access::ref(of_tensor);
  const auto same = std::find_if(vertex.connections.begin(), vertex.connections.end(),
                                 [&](const g::Connection& c) { return c.field == behind; });
  if (same == vertex.connections.end()) {
    vertex.connections.push_back({behind, g::kWholeField, metadata});
  } else if (same->tensor.view.runs()[0] != metadata.view.runs()[0]) {
    throw tensor_metadata_error(tensor.getVarStr() + " connected to " + describe(f) +
                                ", an entry of which has other metadata");
  }
}

}  // namespace

FieldRef VertexRef::operator[](StringRef fieldName) const {
  if (graph_ == nullptr) throw poplar_error("Use of a default-constructed VertexRef");
  const g::CodeletInfo& codelet = codelet_of(*graph_, id_);
  const int field = g::find_field(codelet, fieldName.cloneAsString());
  if (field < 0 || codelet.fields[static_cast<std::size_t>(field)].is_metadata())
    throw unknown_field(codelet.name, fieldName.cloneAsString());
  return FieldRef(graph_, id_, static_cast<unsigned>(field), fieldName.cloneAsString(),
                  std::numeric_limits<std::size_t>::max());
}

FieldRef FieldRef::operator[](std::size_t index) const {
  if (isIndexed()) throw graph_connection_error("Entry of an entry of " + describe(*this));
  return FieldRef(graph_, vertex_, field_, name_, index);
}

bool Graph::hasCodelet(StringRef codeletName) const {
  return impl_->state->graph.codelet_by_name.count(codeletName.cloneAsString()) != 0;
}

ComputeSet Graph::addComputeSet(const DebugContext& debugContext) {
  std::vector<g::ComputeSet>& sets = impl_->state->graph.compute_sets;
  sets.push_back({debugContext.getPathName(), {}});
  return Access::make_compute_set(impl_->state->number, static_cast<unsigned>(sets.size() - 1));
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType) {
  g::Graph& graph = impl_->state->graph;
  impl_->check_own(cs, "addVertex");
  const auto codelet = graph.codelet_by_name.find(vertexType.cloneAsString());
  if (codelet == graph.codelet_by_name.end()) {
    throw unknown_vertex_type("Unknown vertex type '" + vertexType.cloneAsString() + "'");
  }
  const g::VertexId id = static_cast<g::VertexId>(graph.vertices.size());
  graph.vertices.emplace_back();
  graph.vertices.back().codelet = codelet->second;
  graph.vertices.back().compute_set = cs.getId();
  graph.compute_sets[cs.getId()].vertices.push_back(id);
  return Access::make_vertex_ref(impl_->state.get(), id);
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections) {
  VertexRef v = addVertex(cs, vertexType);
  for (const ConnectionDesc& c : connections) {
    switch (c.kind()) {
      case ConnectionDesc::Kind::Tensor:
        connect(v[c.field()], c.tensors()[0]);
        break;
      case ConnectionDesc::Kind::TensorList:
        connect(v[c.field()], ArrayRef<Tensor>(c.tensors()));
        break;
      case ConnectionDesc::Kind::Scalar:
        connect(v[c.field()], c.scalar(), c.traits());
        break;
    }
  }
  return v;
}

VertexRef Graph::addExternalExchangeVertex(ComputeSet cs, StringRef vertexType, unsigned, bool, bool) {
  impl_->check_own(cs, "addExternalExchangeVertex");
  if (!hasCodelet(vertexType)) throw unknown_vertex_type("Unknown vertex type '" + vertexType.cloneAsString() + "'");
  throw graph_object_creation_error("addExternalExchangeVertex: vertex type '" + vertexType.cloneAsString() +
                                    "': no codelet of this machine drives the exchange; use a Copy with a stream");
}

unsigned Graph::getNumVertices() const { return static_cast<unsigned>(impl_->state->graph.vertices.size()); }

void Graph::connect(FieldRef field, const Tensor& tensor) {
  impl_->check_own(field, "connect");
  check_edge(field);
  const g::TensorRef& ref = impl_->own(tensor, "connect");
  check_type(field, ref);
  const g::CodeletField& info = field_info(field);
  g::Vertex& vertex = vertex_of(field);
  const unsigned f = Access::field(field);
  if (field.isIndexed() && !info.is_list())
    throw graph_connection_error("Entry of a field that is no list, " + describe(field));
  if (field.isIndexed() || !info.is_list()) {
    connect_metadata(field, tensor);
    vertex.connections.push_back(
        {f, field.isIndexed() ? static_cast<std::uint32_t>(field.getIndex()) : g::kWholeField, ref});
    return;
  }
  const unsigned rank = info.shape == g::FieldShape::kScalarList ? 1 : 2;
  if (ref.view.rank() != rank) {
    throw graph_connection_error("Tensor of shape " + tensor.shapeToString() + " (" + tensor.getVarStr() +
                                 ") connected to list " + describe(field));
  }
  connect_metadata(field, tensor);
  const std::size_t entries = ref.view.shape()[0];
  set_size(vertex, f, entries);
  for (std::size_t i = 0; i < entries; ++i) {
    vertex.connections.push_back({f, static_cast<std::uint32_t>(i), {ref.type, ref.view.index(i)}});
  }
}

void Graph::connect(FieldRef field, ArrayRef<Tensor> tensors) {
  impl_->check_own(field, "connect");
  check_edge(field);
  if (field.isIndexed() || !field_info(field).is_list()) {
    throw graph_connection_error("List of tensors connected to " + describe(field) + ", which is no list");
  }
  set_size(vertex_of(field), Access::field(field), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) connect(field[i], tensors[i]);
}

void Graph::connect(FieldRef field, const void* value, const TypeTraits& traits) {
  impl_->check_own(field, "connect");
  const g::CodeletField& info = field_info(field);
  if (!info.is_edge()) {
    setInitialValue(field, value, 1, traits);
    return;
  }
  if (info.type == g::ElementType::kQuarter)
    throw tensor_metadata_error("Value connected to " + describe(field) + ": quarters need a tensor with metadata");
  const bool scalar = info.shape == g::FieldShape::kScalar || info.shape == g::FieldShape::kScalarList;
  const std::vector<std::size_t> shape(scalar ? 0 : 1, 1);
  const Tensor constant = addConstant(detail::public_type(info.type), shape, value, traits, true, field.getFieldName());
  const g::VariableId id = Access::ref(constant).view.first_variable();
  const std::uint32_t tile = vertex_of(field).tile;
  if (tile != g::kNoTile) impl_->state->graph.variables[id].mapping.assign(0, 1, tile);
  impl_->state->vertex_constants[Access::vertex(field)].push_back(id);
  connect(field, constant);
}

void Graph::setFieldSize(FieldRef field, std::size_t size) {
  impl_->check_own(field, "setFieldSize");
  const g::CodeletField& info = field_info(field);
  const bool sized = info.is_list() || (!info.is_edge() && info.shape == g::FieldShape::kVector);
  if (!sized || field.isIndexed()) throw graph_connection_error("Size set of " + describe(field));
  set_size(vertex_of(field), Access::field(field), size);
}

std::size_t Graph::getFieldSize(FieldRef field) const {
  impl_->check_own(field, "getFieldSize");
  const g::Vertex& vertex = vertex_of(field);
  const unsigned f = Access::field(field);
  if (!field.isIndexed()) {
    for (const g::FieldSize& s : vertex.sizes) {
      if (s.field == f) return s.size;
    }
  }
  for (const g::Connection& c : vertex.connections) {
    const bool match = field.isIndexed() ? c.index == field.getIndex() : c.index == g::kWholeField;
    if (c.field == f && match) return c.tensor.view.num_elements();
  }
  throw no_size_specified("No size set of " + describe(field));
}

}  // namespace poplar
