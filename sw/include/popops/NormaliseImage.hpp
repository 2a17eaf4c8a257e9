// Pictures of three channels scaled, and padded to four.
#pragma once

#include <cstddef>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

// A tensor of that shape, whose last dimension is 3, with whole pixels on each tile. The type is UNSIGNED_CHAR, HALF or
// FLOAT. Misuse of both functions throws poputil::poplibs_error.
poplar::Tensor createNormaliseImageInput(poplar::Graph& graph, const poplar::Type& type,
                                         const poplar::ArrayRef<std::size_t> shape,
                                         const poplar::DebugContext& debugContext = {});

// (tIn[..., c] * inScale - offsets[c]) * scales[c], and a fourth channel of zeros: a new tensor, where tIn is. Computed
// as FLOAT; of tIn's type, for UNSIGNED_CHAR of HALF. offsets and scales: 3 elements of that type. Each tile holds
// whole pixels of tIn. inScale is not 0.
poplar::Tensor normaliseImage(poplar::Graph& graph, poplar::program::Sequence& seq, poplar::Tensor tIn, float inScale,
                              poplar::Tensor offsets, poplar::Tensor scales,
                              const poplar::DebugContext& debugContext = {});

}  // namespace popops
