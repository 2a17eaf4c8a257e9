// Elements converted to another type: floats to integers towards zero, to bool by comparison with 0, to half rounded to
// nearest. A conversion to the same type copies.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

// In a new tensor, mapped as src.
poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Type& dstType,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
poplar::Tensor cast(poplar::Graph& graph, poplar::Tensor src, const poplar::Type& dstType, poplar::ComputeSet cs,
                    const poplar::DebugContext& debugContext = {});
// To a tensor of the same shape; by a program of its own, or as part of a compute set.
poplar::program::Program cast(poplar::Graph& graph, poplar::Tensor src, poplar::Tensor dst,
                              const poplar::DebugContext& debugContext = {});
void cast(poplar::Graph& graph, poplar::Tensor src, poplar::Tensor dst, poplar::ComputeSet cs);
void castWithOutput(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Tensor& dst,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

// Whether the element of input, FLOAT, is kept by a HALF but for a relative error below the tolerance: one BOOL, of
// shape {}; false for 0 and beyond the largest half. Throws poputil::poplibs_error for other types and for several
// elements.
poplar::Tensor checkAccuracyWhenCast(poplar::Graph& graph, const poplar::Tensor& input, poplar::Type outputType,
                                     double tolerance, poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {});

}  // namespace popops
