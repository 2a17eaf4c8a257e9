// Initial values of vertex state and of tensors.
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;

void Graph::setInitialValue(FieldRef field, const void* values, std::size_t n, const TypeTraits& traits) {
  impl_->check_own(field, "setInitialValue");
  g::Graph& graph = impl_->state->graph;
  g::Vertex& vertex = graph.vertices[Access::vertex(field)];
  const unsigned f = Access::field(field);
  const g::CodeletField& info = graph.codelets[vertex.codelet].info.fields[f];
  const std::string what =
      "field '" + field.getFieldName() + "' of " + g::describe_vertex(graph, Access::vertex(field));
  if (info.is_edge()) throw graph_connection_error("Initial value for " + what + ", which is connected to tensors");
  if (field.isIndexed()) throw graph_connection_error("Initial value for an entry of " + what);
  if (info.shape == g::FieldShape::kScalar && n != 1) {
    throw graph_connection_error(std::to_string(n) + " initial values for scalar " + what);
  }
  for (const g::FieldSize& s : vertex.sizes) {
    if (s.field == f && s.size != n) {
      throw graph_connection_error(std::to_string(n) + " initial values for " + what + " of size " +
                                   std::to_string(s.size));
    }
  }
  std::vector<std::uint8_t> bytes = detail::convert_values(values, n, traits, info.type);
  for (g::FieldValue& v : vertex.values) {
    if (v.field == f) {
      v.bytes = std::move(bytes);
      return;
    }
  }
  vertex.values.push_back({f, std::move(bytes)});
}

void Graph::setInitialValueHalf(FieldRef field, std::uint16_t value) {
  setInitialValue(field, &value, 1, TypeTraits::make<half>());
}

void Graph::setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values) {
  setInitialValue(field, values.data(), values.size(), TypeTraits::make<half>());
}

void Graph::setInitialValue(const Tensor& t, const void* values, std::size_t n, const TypeTraits& traits) {
  const g::TensorRef& ref = impl_->own(t, "setInitialValue");
  if (n != 1 && n != t.numElements()) {
    throw poplar_error(std::to_string(n) + " initial values for " + t.getVarStr() + " with " +
                       std::to_string(t.numElements()) + " elements");
  }
  if (t.containsConstant()) throw poplar_error("Initial value for " + t.getVarStr());
  const std::size_t size = g::size_of(ref.type);
  const std::optional<QuarterMetadata> known = detail::known_metadata(t.getMetadata());
  const std::vector<std::uint8_t> bytes =
      detail::convert_values(values, n, traits, ref.type, known ? &*known : nullptr);
  std::vector<g::Variable>& variables = impl_->state->graph.variables;
  if (n == 1) {
    ref.view.for_each_covering_run([&](const g::VariableRun& run) {
      std::vector<std::uint8_t> repeated;
      repeated.reserve((run.end - run.begin) * size);
      for (std::size_t i = run.begin; i < run.end; ++i) repeated.insert(repeated.end(), bytes.begin(), bytes.end());
      variables[run.variable].initial.push_back({run.begin, std::move(repeated)});
    });
    return;
  }
  auto at = bytes.begin();
  ref.view.for_each_run([&](const g::VariableRun& run) {
    const auto end = at + static_cast<std::ptrdiff_t>((run.end - run.begin) * size);
    variables[run.variable].initial.push_back({run.begin, {at, end}});
    at = end;
  });
}

void Graph::setInitialValue(const Tensor& t, const std::map<unsigned, unsigned>& valueOfReplica) {
  const unsigned replicas = getReplicationFactor();
  // A map is in order, so that numbers that are all there are those from 0 on.
  if (valueOfReplica.size() != replicas || valueOfReplica.rbegin()->first != replicas - 1)
    throw graph_replication_error("Initial values of " + t.getVarStr() + " for " +
                                  std::to_string(valueOfReplica.size()) + " replicas: there are " +
                                  std::to_string(replicas) + ", from 0 on, and the map has a value for each");
  impl_->own(t, "setInitialValue");
  if (t.containsConstant()) throw poplar_error("Initial value for " + t.getVarStr());
  std::vector<unsigned> values;
  for (const auto& [replica, value] : valueOfReplica) values.push_back(value);
  setValueOfReplica(t, values);
}

// Of all elements.
void Graph::setValueOfReplica(const Tensor& t, const std::vector<unsigned>& values) {
  const g::TensorRef& ref = impl_->own(t, "setInitialValue");
  const std::optional<QuarterMetadata> known = detail::known_metadata(t.getMetadata());
  std::vector<std::vector<std::uint8_t>> of_replica;
  for (const unsigned& value : values)
    of_replica.push_back(
        detail::convert_values(&value, 1, TypeTraits::make<unsigned>(), ref.type, known ? &*known : nullptr));
  std::vector<g::Variable>& variables = impl_->state->graph.variables;
  ref.view.for_each_covering_run([&](const g::VariableRun& run) {
    g::InitialData data{run.begin, {}, std::vector<std::vector<std::uint8_t>>(values.size() - 1)};
    for (std::size_t r = 0; r < values.size(); ++r) {
      std::vector<std::uint8_t>& bytes = r == 0 ? data.bytes : data.other_replicas[r - 1];
      bytes.reserve((run.end - run.begin) * of_replica[r].size());
      for (std::size_t i = run.begin; i < run.end; ++i)
        bytes.insert(bytes.end(), of_replica[r].begin(), of_replica[r].end());
    }
    // A constant keeps its bytes, those of replica 0, where replicas do not differ.
    if (values.size() > 1 || !variables[run.variable].constant)
      variables[run.variable].initial.push_back(std::move(data));
  });
}

void Graph::setInitialValueHalf(const Tensor& t, std::uint16_t value) {
  setInitialValue(t, &value, 1, TypeTraits::make<half>());
}

void Graph::setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values) {
  setInitialValue(t, values.data(), values.size(), TypeTraits::make<half>());
}

}  // namespace poplar
