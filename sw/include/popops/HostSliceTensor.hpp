// Tensors that lie well for copies from and to the host: pieces that fill packets, as many on each tile.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

struct IndicesAndTensor {
  poplar::Tensor indices;  // UNSIGNED_INT, one for each row, on the first tile of that row
  poplar::Tensor tensor;
};

// A tensor of shape {rows, elements of the stream or of a row of the remote buffer}, and the row numbers of its copy.
// Pieces of a row, of 1024 bytes if the host reads the tensor and of 256 bytes if it writes it, go to tiles one after
// another from tile ceil(offset / 1024) on, around the end; offset: bytes that other tensors have placed so. Throws
// poputil::poplibs_error for another rank, or a target of several IPUs.
IndicesAndTensor createHostSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, const bool isRead,
                                           const poplar::DebugContext& debugContext = {});
IndicesAndTensor createHostSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, const bool isRead,
                                           const std::size_t offset, const poplar::DebugContext& debugContext = {});

// A tensor of any shape, laid out as one row of that.
poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape, bool isRead,
                                            const poplar::DebugContext& debugContext = {});
poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape, bool isRead,
                                            const std::size_t offset, const poplar::DebugContext& debugContext = {});

}  // namespace popops
