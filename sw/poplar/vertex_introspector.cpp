// Fields of a vertex as its performance estimator sees them.
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;

namespace {

// A field of a vertex in the graph, with what is said of it in errors.
struct Field {
  const g::Graph& graph;
  const g::Vertex& vertex;
  const g::CodeletInfo& codelet;
  const g::CodeletField& info;
  std::uint32_t index;
  unsigned id;  // of the vertex

  Field(const detail::GraphState* state, unsigned vertex_id, unsigned field)
      : graph(state->graph),
        vertex(graph.vertices[vertex_id]),
        codelet(graph.codelets[vertex.codelet].info),
        info(codelet.fields[field]),
        index(field),
        id(vertex_id) {}

  std::string describe() const { return "field '" + info.name + "' of " + g::describe_vertex(graph, id); }

  const g::Connection* connection(std::uint32_t entry) const {
    for (const g::Connection& c : vertex.connections)
      if (c.field == index && c.index == entry) return &c;
    return nullptr;
  }

  // Size that was set, or elements of an initial value.
  std::size_t size() const {
    for (const g::FieldSize& s : vertex.sizes)
      if (s.field == index) return s.size;
    if (info.is_edge()) {
      const g::Connection* whole = connection(g::kWholeField);
      return whole == nullptr ? 0 : whole->tensor.view.num_elements();
    }
    const std::vector<std::uint8_t>* bytes = initial();
    return bytes == nullptr ? 0 : bytes->size() / g::size_of(info.type);
  }

  const std::vector<std::uint8_t>* initial() const {
    for (const g::FieldValue& v : vertex.values)
      if (v.field == index) return &v.bytes;
    return nullptr;
  }
};

std::vector<long double> constants(const Field& field, const g::Connection* connection) {
  std::vector<long double> out;
  if (connection == nullptr) throw graph_connection_error("Values of unconnected " + field.describe());
  if (field.info.type == g::ElementType::kQuarter)
    throw graph_connection_error("Values of " + field.describe() + ", which are quarters");
  const std::size_t size = g::size_of(field.info.type);
  connection->tensor.view.for_each_run([&](const g::VariableRun& run) {
    const g::Variable& variable = field.graph.variables[run.variable];
    if (!variable.constant)
      throw graph_connection_error("Values of " + field.describe() + ", which is connected to " +
                                   g::describe_variable(field.graph, run.variable) + ", no constant");
    const bool same = variable.constant_bytes.size() == size;
    for (std::size_t i = run.begin; i < run.end; ++i)
      out.push_back(detail::element_value(field.info.type, variable.constant_bytes.data() + (same ? 0 : i * size)));
  });
  return out;
}

}  // namespace

FieldData VertexIntrospector::getFieldInfo(StringRef fieldName) const {
  const Field any(graph_, vertex_, 0);
  const int field = g::find_field(any.codelet, fieldName.cloneAsString());
  if (field < 0) throw unknown_field(any.codelet.name, fieldName.cloneAsString());
  return FieldData(graph_, vertex_, static_cast<unsigned>(field));
}

std::string FieldData::name() const { return Field(graph_, vertex_, field_).info.name; }

unsigned FieldData::rank() const {
  switch (Field(graph_, vertex_, field_).info.shape) {
    case g::FieldShape::kScalar:
      return 0;
    case g::FieldShape::kList:
      return 2;
    default:
      return 1;
  }
}

std::size_t FieldData::size() const {
  const Field field(graph_, vertex_, field_);
  return field.info.shape == g::FieldShape::kScalar ? 1 : field.size();
}

std::size_t FieldData::listSize() const {
  const Field field(graph_, vertex_, field_);
  if (field.info.shape != g::FieldShape::kList) throw graph_connection_error("Entries of " + field.describe());
  return field.size();
}

std::size_t FieldData::getSizeAtIndex(std::size_t i) const {
  const std::size_t entries = listSize();
  const Field field(graph_, vertex_, field_);
  if (i >= entries)
    throw index_error("Entry " + std::to_string(i) + " of " + std::to_string(entries) + " of " + field.describe());
  const g::Connection* entry = field.connection(static_cast<std::uint32_t>(i));
  return entry == nullptr ? 0 : entry->tensor.view.num_elements();
}

layout::Vector FieldData::getProfilerVectorLayout(unsigned nestingLevel) const {
  if (nestingLevel >= rank()) return layout::Vector::NotAVector;
  const g::CodeletField& info = Field(graph_, vertex_, field_).info;
  const g::VectorLayout is = nestingLevel == 0 ? info.layout : info.inner_layout;
  return is == g::VectorLayout::kSpan ? layout::Vector::Span : layout::Vector::OnePtr;
}

layout::VectorList FieldData::getProfilerVectorListLayout() const {
  if (rank() != 2) return layout::VectorList::NotAVector;
  return getProfilerVectorLayout(1) == layout::Vector::Span ? layout::VectorList::DeltaNElements
                                                            : layout::VectorList::OnePtr;
}

std::vector<long double> FieldData::values() const {
  const Field field(graph_, vertex_, field_);
  if (field.info.is_list()) {
    if (field.info.shape == g::FieldShape::kList)
      throw graph_connection_error("Values of the list that is " + field.describe());
    std::vector<long double> out;
    for (std::size_t i = 0; i < field.size(); ++i)
      for (const long double value : constants(field, field.connection(static_cast<std::uint32_t>(i))))
        out.push_back(value);
    return out;
  }
  if (field.info.is_edge()) return constants(field, field.connection(g::kWholeField));
  std::vector<long double> out(size());
  if (const std::vector<std::uint8_t>* bytes = field.initial()) {
    const std::size_t element_size = g::size_of(field.info.type);
    for (std::size_t i = 0; i < out.size() && (i + 1) * element_size <= bytes->size(); ++i)
      out[i] = detail::element_value(field.info.type, bytes->data() + i * element_size);
  }
  return out;
}

std::vector<long double> FieldData::values(std::size_t i) const {
  const Field field(graph_, vertex_, field_);
  return constants(field, field.connection(static_cast<std::uint32_t>(i)));
}

long double FieldData::onlyValue() const {
  const std::vector<long double> all = values();
  if (all.size() != 1)
    throw graph_connection_error("The value of " + Field(graph_, vertex_, field_).describe() + ", which has " +
                                 std::to_string(all.size()) + " elements");
  return all[0];
}

}  // namespace poplar
