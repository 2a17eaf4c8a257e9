// One element of each row of a matrix made smaller by 1: the gradient of a cross entropy whose labels are indices.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// params[i][indices[i]] -= 1, in place; nothing where the index is MASKED_LABEL_CODE; where the row has no such element
// all of it becomes NaN. params is FLOAT or HALF, [rows, width]; indices is UNSIGNED_INT, [rows]. Misuse throws
// poputil::poplibs_error.
void updateScalarInRows(poplar::Graph& graph, const poplar::Tensor& params, const poplar::Tensor& indices,
                        poplar::program::Sequence& program, const poplar::DebugContext& debugContext = {});

}  // namespace popops
