// The last tensors that were added.
#include <functional>
#include <numeric>

#include <popops/CircBuf.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

CircBuf::CircBuf(Graph& graph, const poplar::Type& dataType, unsigned size, const std::vector<std::size_t>& shape,
                 const DebugContext& debugContext)
    : graph(graph), size_(size), shape(shape) {
  if (size == 0) throw poputil::poplibs_error("CircBuf: a size of 0");
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(dataType, size, shape));
  const std::size_t n = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
  hist = createSliceableTensor(graph, dataType, {size, n}, {0}, {1}, 0, {info, "tensors"});
  index = graph.addVariable(poplar::UNSIGNED_INT, {1}, {info, "index"});
  graph.setInitialValue(index, 0U);
  graph.setTileMapping(index, 0);
}

Graph::TileToTensorMapping CircBuf::getTileMapping() { return getSliceMapping(graph, hist, {0}, {1}); }

Tensor CircBuf::prev(unsigned i, Sequence& seq, const DebugContext& debugContext) {
  if (i >= size_)
    throw poputil::poplibs_error("CircBuf::prev: " + std::to_string(i) + " of " + std::to_string(size_) + " tensors");
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(i));
  const Tensor at = map(graph, (expr::_1 + (size_ - i)) % size_, {index}, seq, {info, "index"});
  const Tensor out = dynamicSlice(graph, hist, at, {0}, {1}, seq, {info}).reshape(shape);
  info.addOutput(out);
  return out;
}

void CircBuf::add(Tensor t, Sequence& seq, const DebugContext& debugContext) {
  if (t.shape() != shape || t.elementType() != hist.elementType())
    fail("CircBuf::add", t, "not of the shape and type of '" + hist.getDebugStr() + "'");
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t));
  mapInPlace(graph, (expr::_1 + 1U) % size_, {index}, seq, {info, "index"});
  dynamicUpdate(graph, hist, t.flatten().expand({0}), index, {0}, {1}, seq, {info});
}

}  // namespace popops
