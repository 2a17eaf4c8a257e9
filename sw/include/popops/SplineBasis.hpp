// The basis of B-splines over pseudo coordinates of edges.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// pseudo: [edges, dims], FLOAT or HALF, from 0 to 1. kernelSize: [dims], INT. isOpenSpline: [dims], UNSIGNED_CHAR, 1
// for an open spline and 0 for a closed one. Results: basis, of pseudo's type, and weightIndex, INT, [edges, (degree +
// 1) ^ dims]. With v = pseudo * (kernelSize - degree * isOpenSpline) in each dimension, and k the digit of the spline's
// number in base degree + 1, first dimension lowest: a basis element is the product of the B-spline pieces k at v -
// floor(v), and weightIndex has the digit (floor(v) + k) mod kernelSize in base kernelSize, first dimension lowest.
// Computed as FLOAT. Throws poputil::poplibs_error for other types or shapes, and a degree other than 1, 2 or 3.
void splineBasis(poplar::Graph& graph, const poplar::Tensor& pseudo, const poplar::Tensor& kernelSize,
                 const poplar::Tensor& isOpenSpline, const poplar::Tensor& basis, const poplar::Tensor& weightIndex,
                 unsigned degree, poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops
