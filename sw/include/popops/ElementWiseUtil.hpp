// Where the results of element-wise operations live.
#pragma once

#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

// A new tensor for the result of an operation on tensors of one shape: mapped as the input that is spread best over the
// tiles and has no repeated element; linearly if there is none. Throws poplibs_error without inputs, or if shapes
// differ.
poplar::Tensor createOutputForElementWiseOp(poplar::Graph& graph, const std::vector<poplar::Tensor>& inputs,
                                            const poplar::Type& outputType,
                                            const poplar::DebugContext& debugContext = {});

}  // namespace popops
