// The k largest or smallest elements of the innermost dimension. NaNs count as the last in either order, -0 as below 0.
// For all types of up to 32 bits. Misuse throws poputil::poplibs_error.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <utility>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <popops/SortOrder.hpp>

namespace popops {

struct TopKParams {
  unsigned k;           // at most the elements of the dimension
  bool largest;         // else the smallest
  SortOrder sortOrder;  // of the result
  bool stableSort;      // equal ones in the order in which they are in the tensor

  TopKParams(unsigned k, bool largest, SortOrder sortOrder, bool stableSort = false) noexcept;
};

std::ostream& operator<<(std::ostream& os, const TopKParams& p);

// A tensor of that shape, spread as topK starts from.
poplar::Tensor createTopKInput(poplar::Graph& graph, const poplar::Type& type, const std::vector<std::size_t>& shape,
                               const TopKParams& params, const poplar::DebugContext& debugContext = {});

// t's shape with k in the innermost dimension.
poplar::Tensor topK(poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& t,
                    const TopKParams& params, const poplar::DebugContext& debugContext = {});
// The keys, and the values that stand where they do.
std::pair<poplar::Tensor, poplar::Tensor> topKKeyValue(poplar::Graph& graph, poplar::program::Sequence& prog,
                                                       const poplar::Tensor& keys, const poplar::Tensor& values,
                                                       const TopKParams& params,
                                                       const poplar::DebugContext& debugContext = {});
// The elements, and their indices in the innermost dimension: UNSIGNED_INT.
std::pair<poplar::Tensor, poplar::Tensor> topKWithPermutation(poplar::Graph& graph, poplar::program::Sequence& prog,
                                                              const poplar::Tensor& t, const TopKParams& params,
                                                              const poplar::DebugContext& debugContext = {});

}  // namespace popops
