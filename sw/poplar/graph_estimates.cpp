// What vertices are expected to cost: as the program says it of each, or through an estimator of their type; and what
// their fields can hold.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <poplar/Graph.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;

namespace {

const PerfEstimateFunc* estimator_of(const detail::GraphState& state, unsigned vertex) {
  const auto at = state.estimators.find(state.graph.codelets[state.graph.vertices[vertex].codelet].info.name);
  return at == state.estimators.end() ? nullptr : &at->second;
}

// Every edge has something: a vertex of which that is not so cannot run.
bool is_connected(const g::Graph& graph, const g::Vertex& vertex) {
  const std::vector<g::CodeletField>& fields = graph.codelets[vertex.codelet].info.fields;
  for (std::uint32_t f = 0; f < fields.size(); ++f) {
    if (!fields[f].is_edge() || fields[f].is_metadata()) continue;
    const auto count = std::count_if(vertex.connections.begin(), vertex.connections.end(),
                                     [&](const g::Connection& c) { return c.field == f; });
    std::size_t wanted = 1;
    if (fields[f].is_list()) {
      const auto size =
          std::find_if(vertex.sizes.begin(), vertex.sizes.end(), [&](const g::FieldSize& s) { return s.field == f; });
      if (size == vertex.sizes.end()) return false;
      wanted = size->size;
    }
    if (static_cast<std::size_t>(count) != wanted) return false;
  }
  return true;
}

const g::CodeletField& field_of(const g::Graph& graph, StringRef vertexType, StringRef fieldName) {
  const auto codelet = graph.codelet_by_name.find(vertexType.cloneAsString());
  if (codelet == graph.codelet_by_name.end())
    throw unknown_vertex_type("Unknown vertex type '" + vertexType.cloneAsString() + "'");
  const g::CodeletInfo& info = graph.codelets[codelet->second].info;
  const int field = g::find_field(info, fieldName.cloneAsString());
  if (field < 0) throw unknown_field(info.name, fieldName.cloneAsString());
  return info.fields[static_cast<std::size_t>(field)];
}

// The largest integer of the element type of a field.
std::uint64_t largest(const g::CodeletField& field, StringRef vertexType) {
  if (g::is_floating_point(field.type))
    throw type_error("The largest value of field '" + field.name + "' of vertex type '" + vertexType.cloneAsString() +
                     "', which is a " + std::string(g::name_of(field.type)) + ", as an integer");
  if (field.type == g::ElementType::kBool) return 1;
  const unsigned bits = 8 * static_cast<unsigned>(g::size_of(field.type)) - (g::is_signed(field.type) ? 1 : 0);
  return ~std::uint64_t{0} >> (64 - bits);
}

}  // namespace

void Graph::setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops) {
  impl_->check_own(v, "setPerfEstimate");
  impl_->state->graph.estimates[v.getId()] = {cycles, flops};
}

void Graph::setPerfEstimate(const VertexRef& v, const VertexPerfEstimate& estimate) {
  setPerfEstimate(v, estimate.cycles, estimate.flops);
}

VertexPerfEstimate Graph::getPerfEstimate(const VertexRef& v) const {
  impl_->check_own(v, "getPerfEstimate");
  const g::Graph& graph = impl_->state->graph;
  const auto at = graph.estimates.find(v.getId());
  if (at != graph.estimates.end()) return {at->second.cycles, at->second.flops};
  const PerfEstimateFunc* estimator = estimator_of(*impl_->state, v.getId());
  if (estimator == nullptr)
    throw missing_perf_estimate("No performance estimate for " + g::describe_vertex(graph, v.getId()));
  return (*estimator)(Access::make_introspector(*impl_->state, v.getId()), impl_->state->target);
}

void Graph::registerPerfEstimator(StringRef vertexType, PerfEstimateFunc estimator) {
  if (!estimator)
    throw poplar_error("registerPerfEstimator: no function for vertex type '" + vertexType.cloneAsString() + "'");
  impl_->state->estimators[vertexType.cloneAsString()] = std::move(estimator);
}

std::size_t Graph::getMaxFieldDim(StringRef vertexType, StringRef fieldName, unsigned dim) const {
  const g::CodeletField& field = field_of(impl_->state->graph, vertexType, fieldName);
  const unsigned rank = field.shape == g::FieldShape::kScalar ? 0 : field.shape == g::FieldShape::kList ? 2 : 1;
  if (dim >= rank)
    throw index_error("Dimension " + std::to_string(dim) + " of field '" + field.name + "' of vertex type '" +
                      vertexType.cloneAsString() + "', which has " + std::to_string(rank));
  const g::VectorLayout layout = dim == 0 ? field.layout : field.inner_layout;
  // A span counts in 32 bits; what has no length has no limit of its own.
  return layout == g::VectorLayout::kSpan ? std::numeric_limits<std::uint32_t>::max()
                                          : std::numeric_limits<std::size_t>::max();
}

double Graph::getMaxVertexFieldValue(StringRef vertexType, StringRef fieldName) const {
  const g::CodeletField& field = field_of(impl_->state->graph, vertexType, fieldName);
  if (field.type == g::ElementType::kFloat) return std::numeric_limits<float>::max();
  if (field.type == g::ElementType::kHalf) return 65504;
  return static_cast<double>(largest(field, vertexType));
}

std::int64_t Graph::getMaxVertexFieldValueAsInt64(StringRef vertexType, StringRef fieldName) const {
  const std::uint64_t value = largest(field_of(impl_->state->graph, vertexType, fieldName), vertexType);
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw type_error("The largest value of field '" + fieldName.cloneAsString() + "' of vertex type '" +
                     vertexType.cloneAsString() + "' as a signed integer of 64 bits");
  return static_cast<std::int64_t>(value);
}

std::uint64_t Graph::getMaxVertexFieldValueAsUInt64(StringRef vertexType, StringRef fieldName) const {
  return largest(field_of(impl_->state->graph, vertexType, fieldName), vertexType);
}

namespace detail {

g::Estimates estimated(const Graph& graph) {
  const GraphState& state = *Access::impl(graph).state;
  g::Estimates estimates;
  if (state.estimators.empty()) return estimates;
  for (unsigned v = 0; v < state.graph.vertices.size(); ++v) {
    if (state.graph.estimates.count(v) != 0) continue;
    const PerfEstimateFunc* estimator = estimator_of(state, v);
    if (estimator == nullptr || !is_connected(state.graph, state.graph.vertices[v])) continue;
    const VertexPerfEstimate estimate = (*estimator)(Access::make_introspector(state, v), state.target);
    estimates.emplace_hint(estimates.end(), v, g::PerfEstimate{estimate.cycles, estimate.flops});
  }
  return estimates;
}

}  // namespace detail
}  // namespace poplar
