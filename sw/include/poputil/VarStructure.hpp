// How a tensor's elements lie in memory: groups, and tensors made so that parts of them are contiguous.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace poputil {

// A dimension, and how many of its elements lie together in memory.
using GroupingInfo = std::pair<unsigned, unsigned>;

// How many elements of the last dimension lie together in memory and on a tile, as a divisor of that dimension's size.
// Throws poplibs_error for a tensor of rank 0.
unsigned detectInnermostGrouping(const poplar::Graph& graph, const poplar::Tensor& t);

// The groups from the innermost outwards; a dimension may come more than once. Throws poplibs_error for rank 0.
std::vector<GroupingInfo> detectDimGroupings(const poplar::Graph& graph, const poplar::Tensor& t);

// A new tensor, not mapped, whose parts are contiguous: dimension d is cut into nPartitions[d] parts of
// ceil(size / parts) elements; the last of them are smaller, or empty. Throws poplibs_error where shape and nPartitions
// differ in size or a number of parts is 0.
poplar::Tensor createPartitionableTensor(poplar::Graph& graph, const poplar::Type& type,
                                         const std::vector<std::size_t>& shape,
                                         const std::vector<std::size_t>& nPartitions,
                                         const poplar::DebugContext& debugContext = {});

// Calls f for each part of t, cut the same way, with the part's number in each dimension; the first dimension's changes
// fastest.
void iterateTensorPartitions(const poplar::Tensor& t, const std::vector<std::size_t>& nPartitions,
                             const std::function<void(const std::vector<std::size_t>& i, const poplar::Tensor& s)>& f);

}  // namespace poputil
