// Tensors of different shapes made to match by the rules of NumPy: shapes are compared from their last dimension
// backwards, a missing dimension counts as 1, and a dimension of 1 is repeated as often as the other tensor's needs.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/Tensor.hpp>

namespace poputil {

// Gives the tensor of lower rank outermost dimensions of size 1 until the ranks are equal.
void expandToMatchRanks(poplar::Tensor& a, poplar::Tensor& b);

// Makes `a` a view of that shape. Throws poplibs_error if a dimension is neither 1 nor the shape's, or a's rank is
// higher.
void broadcastToMatch(poplar::Tensor& a, const std::vector<std::size_t>& shape);

// Makes the tensors views of one shape. Throws poplibs_error where two dimensions differ and neither is 1.
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b);
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b, poplar::Tensor& c);

// Whether broadcastToMatch(a, b) would succeed.
bool canBroadcastToMatch(const poplar::Tensor& a, const poplar::Tensor& b);

}  // namespace poputil
