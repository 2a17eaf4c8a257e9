// Tensors with elements added at the ends of their dimensions; negative numbers of elements take away. Nothing is
// copied. Misuse throws poputil::poplibs_error.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {
namespace padding {

enum class Type {
  EDGE,    // the element at the edge, again and again
  REFLECT  // the elements beside the edge, mirrored at it: at most one less than the dimension has
};

// Where elements that are added live.
enum class MappingMethod {
  NONE,  // nowhere: for you to map
  ZERO,  // on tile 0
  EDGE   // on the tile of the nearest element of the tensor, which must have elements and be mapped
};

}  // namespace padding

// With elements of one value, in all dimensions or one. A tensor as the value has one element, of t's type, and keeps
// its own mapping whatever the method.
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, float val = 0.0f,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, int val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, const poplar::Tensor& val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, float val = 0.0f,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, int val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& t, std::ptrdiff_t paddingLower,
                   std::ptrdiff_t paddingUpper, unsigned dim, const poplar::Tensor& val,
                   padding::MappingMethod mappingMethod = padding::MappingMethod::ZERO);

// With the tensor's own elements: a view of it.
poplar::Tensor pad(const poplar::Tensor& t, const std::vector<std::ptrdiff_t>& paddingLower,
                   const std::vector<std::ptrdiff_t>& paddingUpper, padding::Type type);
poplar::Tensor pad(const poplar::Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper, unsigned dim,
                   padding::Type type);

}  // namespace popops
