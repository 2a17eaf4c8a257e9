// Features of edges weighted by a kernel of B-splines.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// result[e, o] = sum over splines s and inputs i of basis[e, s] * input[e, i] * weight[weightIndex[e, s], i, o]: a new
// tensor [edges, outputs]. input: [edges, inputs], FLOAT or HALF; weight: [kernels, inputs, outputs] and basis: [edges,
// splines] of that type; weightIndex: [edges, splines], INT, each below the number of kernels. Summed as FLOAT. Throws
// poputil::poplibs_error for other types or shapes.
poplar::Tensor splineWeighting(poplar::Graph& graph, const poplar::Tensor& input, const poplar::Tensor& weight,
                               const poplar::Tensor& basis, const poplar::Tensor& weightIndex,
                               poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops
