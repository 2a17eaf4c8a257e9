// XLA's scatter: slices of a tensor replaced by, or joined with, updates at many indices. Indices are UNSIGNED_INT or
// INT. Misuse throws poputil::poplibs_error.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// Dimension indexVectorDim of indices (all its dimensions, if it is their number) holds vectors, whose element k is an
// index into dimension scatterDimsToOperandDims[k] of operand. updates has a slice for each vector: its dimensions
// updateWindowDims are those of the slice without insertWindowDims, where a slice has one element; the others are those
// of indices. Slices are written one after the other: where they overlap the last one stays. One that does not fit is
// left out; with the option remapOutOfBoundIndices (true, false) [=false] an index at which it does not is 0.
void scatter(poplar::Graph& graph, const poplar::Tensor& operand, const poplar::Tensor& indices,
             const poplar::Tensor& updates, std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims,
             std::vector<std::size_t> insertWindowDims, std::vector<unsigned> scatterDimsToOperandDims,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
             const poplar::OptionFlags& optionFlags = {});

// What becomes of elements and updates, tensors of one shape and type: a tensor of that shape. It is asked once; the
// program that it adds is run for every slice.
using UpdateComputationFunc = std::function<poplar::Tensor(poplar::Graph& graph, poplar::Tensor& elements,
                                                           poplar::Tensor& updates, poplar::program::Sequence& prog)>;

void scatter(poplar::Graph& graph, const poplar::Tensor& operand, const poplar::Tensor& indices,
             const poplar::Tensor& updates, std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims,
             std::vector<std::size_t> insertWindowDims, std::vector<unsigned> scatterDimsToOperandDims,
             UpdateComputationFunc& updateComputation, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& optionFlags = {});

}  // namespace popops
