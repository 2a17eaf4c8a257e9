// Tensors of eight-bit floats and the metadata by which they are read.
#include <optional>
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace detail {

std::optional<QuarterMetadata> known_metadata(const Tensor& metadata) {
  if (!metadata.valid() || metadata.numElements() != 1) return std::nullopt;
  const TensorImpl& impl = Access::impl(metadata);
  const tessera::graph::VariableRun at = impl.ref.view.runs()[0];
  const tessera::graph::Variable& variable = impl.state->graph.variables[at.variable];
  if (!variable.constant) return std::nullopt;
  return QuarterMetadata(variable.constant_bytes[variable.constant_bytes.size() == 1 ? 0 : at.begin]);
}

}  // namespace detail

Tensor Graph::withMetadata(const Tensor& t, const Tensor& metadata, const char* function) const {
  if (!metadata.valid()) {
    if (!t.elementType().requiresMetadata()) return t;
    throw tensor_metadata_error(std::string(function) + ": " + t.getVarStr() + " of QUARTER needs metadata");
  }
  impl_->own(metadata, function);
  if (!t.elementType().requiresMetadata())
    throw tensor_metadata_error(std::string(function) + ": " + t.getVarStr() + " of " +
                                t.elementType().toString().cloneAsString() + " has no metadata");
  if (metadata.elementType() != QUARTER_METADATA || metadata.numElements() != 1)
    throw tensor_metadata_error(std::string(function) + ": the metadata of " + t.getVarStr() + " is a " +
                                metadata.elementType().toString().cloneAsString() + " of shape " +
                                metadata.shapeToString() + ", not one QUARTER_METADATA");
  const detail::TensorImpl& impl = detail::Access::impl(t);
  return detail::Access::make_tensor(impl.state, impl.ref.type, impl.ref.view, metadata);
}

Tensor createConstantMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext) {
  const Tensor metadata =
      graph.addConstant(QUARTER_METADATA, {1}, QuarterMetadata(format, scale).getBinary(), debugContext);
  graph.setTileMapping(metadata, 0);
  return metadata;
}

Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext) {
  const QuarterMetadata value(format, scale);
  const Tensor metadata = graph.addVariable(QUARTER_METADATA, {1}, debugContext);
  graph.setTileMapping(metadata, 0);
  graph.setInitialValue(metadata, value.getBinary());
  return metadata;
}

}  // namespace poplar
