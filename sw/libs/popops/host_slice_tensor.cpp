// Tensors that lie well for the host.
#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/HostSliceTensor.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::Type;

namespace {

constexpr std::size_t kOffsetUnit = 1024;                    // bytes
constexpr std::size_t kReadPiece = 1024, kWritePiece = 256;  // bytes

}  // namespace

IndicesAndTensor createHostSliceableTensor(Graph& graph, const Type& type, const std::vector<std::size_t>& shape,
                                           const bool isRead, const std::size_t offset,
                                           const DebugContext& debugContext) {
  if (shape.size() != 2)
    throw poputil::poplibs_error("createHostSliceableTensor: a shape of " + std::to_string(shape.size()) +
                                 " dimensions, not 2");
  if (graph.getTarget().getNumIPUs() > 1)
    throw poputil::poplibs_error("createHostSliceableTensor: the target has " +
                                 std::to_string(graph.getTarget().getNumIPUs()) + " IPUs, not 1");
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(type, shape, isRead, offset));
  const Tensor tensor = graph.addVariable(type, shape, {info, "host"});
  const Tensor indices = graph.addVariable(poplar::UNSIGNED_INT, {shape[0]}, {info, "indices"});
  const std::size_t tiles = graph.getTarget().getNumTiles(), columns = shape[1];
  const std::size_t piece = (isRead ? kReadPiece : kWritePiece) / graph.getTarget().getTypeSize(type);
  const std::size_t in_row = (columns + piece - 1) / piece, all = shape[0] * in_row;
  const std::size_t first = (offset + kOffsetUnit - 1) / kOffsetUnit;
  // Piece p is on a tile with its neighbours.
  const auto tile_of = [&](std::size_t p) {
    return static_cast<unsigned>((first + p * std::min(all, tiles) / all) % tiles);
  };
  for (std::size_t row = 0; row < shape[0]; ++row) {
    graph.setTileMapping(indices[row], in_row == 0 ? 0 : tile_of(row * in_row));
    for (std::size_t i = 0; i < in_row; ++i)
      graph.setTileMapping(tensor[row].slice(i * piece, std::min(columns, (i + 1) * piece)), tile_of(row * in_row + i));
  }
  info.addOutput(tensor);
  return {indices, tensor};
}

IndicesAndTensor createHostSliceableTensor(Graph& graph, const Type& type, const std::vector<std::size_t>& shape,
                                           const bool isRead, const DebugContext& debugContext) {
  return createHostSliceableTensor(graph, type, shape, isRead, 0, debugContext);
}

Tensor createHostTransferableTensor(Graph& graph, const Type& type, const std::vector<std::size_t>& shape, bool isRead,
                                    const std::size_t offset, const DebugContext& debugContext) {
  const std::size_t n = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
  return createHostSliceableTensor(graph, type, {1, n}, isRead, offset, debugContext).tensor.reshape(shape);
}

Tensor createHostTransferableTensor(Graph& graph, const Type& type, const std::vector<std::size_t>& shape, bool isRead,
                                    const DebugContext& debugContext) {
  return createHostTransferableTensor(graph, type, shape, isRead, 0, debugContext);
}

}  // namespace popops
