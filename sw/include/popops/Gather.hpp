// Slices at many indices stitched together. Indices are UNSIGNED_INT or INT; what indices outside of a dimension mean,
// and the options: DynamicSlice.hpp. Misuse throws poputil::poplibs_error.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

struct GatherParams {
  // How many elements of the gathered axis createGatherInput puts on a tile at most.
  std::size_t maxElementsPerTile = 65535;

  GatherParams() = default;
  GatherParams(std::size_t maxElementsPerTile_) : maxElementsPerTile(maxElementsPerTile_) {}
};

// A tensor of that shape to be gathered along an axis: all elements of the axis on one tile, up to the limit.
poplar::Tensor createGatherInput(poplar::Graph& graph, const poplar::Type& type,
                                 const std::vector<std::size_t>& operandShape, unsigned axis, GatherParams params = {},
                                 const poplar::DebugContext& debugContext = {});
// input's elements along an axis at all indices: input's shape with their number in the axis.
poplar::Tensor gather(poplar::Graph& graph, const poplar::Tensor& input, const poplar::Tensor& indices, unsigned axis,
                      poplar::program::Sequence& prog, GatherParams params,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& optionFlags = {});

// The gather of XLA's operation semantics. Dimension indexVectorDim of indices (all its dimensions, if it is their
// number) holds vectors, whose element k is an index into dimension startIndexMap[k] of input; the slice there has
// sliceSizes, without the dimensions collapsedSliceDims. An index too large for its slice to fit is the largest that
// fits. The dimensions of a slice are those of the result in offsetDims, the others are those of indices.
poplar::Tensor createGatherInput(poplar::Graph& graph, const poplar::Type& type,
                                 const std::vector<std::size_t>& inputShape, const std::vector<std::size_t>& sliceSizes,
                                 std::vector<unsigned> startIndexMap, const poplar::DebugContext& debugContext = {});
poplar::Tensor gather(poplar::Graph& graph, const poplar::Tensor& input, const poplar::Tensor& indices,
                      std::size_t indexVectorDim, const std::vector<std::size_t>& offsetDims,
                      const std::vector<std::size_t>& sliceSizes, const std::vector<std::size_t>& collapsedSliceDims,
                      const std::vector<unsigned>& startIndexMap, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& optionFlags = {});

}  // namespace popops
