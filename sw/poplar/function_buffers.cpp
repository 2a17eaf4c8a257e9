// Buffers of functions' code. All code is on the tiles from load on, so that a buffer is known by its function alone.
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

using detail::Access;

FunctionBuffer Graph::addFunctionBuffer(const Function& function, FunctionBufferMappingType) {
  const detail::GraphNumber graph = Access::graph_number(function);
  if (graph != 0 && graph != impl_->state->number)
    throw poplar_error("addFunctionBuffer: function " + std::to_string(function.getId()) + " is of another graph");
  if (function.getId() >= impl_->state->graph.functions.size())
    throw poplar_error("addFunctionBuffer: this graph has no function " + std::to_string(function.getId()));
  return Access::make_function_buffer(impl_->state->number, impl_->state->function_buffers++, function.getId());
}

}  // namespace poplar
