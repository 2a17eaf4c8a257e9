// One element of each row of a matrix.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// A vector: element i is params[i][indices[i]], 0 where the index is MASKED_LABEL_CODE, NaN where the row has no such
// element. params is FLOAT or HALF, [rows, width]; indices is UNSIGNED_INT, [rows]. Misuse throws
// poputil::poplibs_error.
poplar::Tensor selectScalarFromRows(poplar::Graph& graph, const poplar::Tensor& params, const poplar::Tensor& indices,
                                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops
