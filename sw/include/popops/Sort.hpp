// Tensors sorted along a dimension, ascending: NaNs last, -0 before 0. Equal keys keep their order. For all types of up
// to 32 bits. Misuse throws poputil::poplibs_error.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

poplar::Tensor sort(poplar::Graph& graph, const poplar::Tensor& t, unsigned dim, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
void sortInPlace(poplar::Graph& graph, const poplar::Tensor& t, unsigned dim, poplar::program::Sequence& prog,
                 const poplar::DebugContext& debugContext = {});

// v as the keys k of the same shape are ordered.
poplar::Tensor sortKeyValue(poplar::Graph& graph, const poplar::Tensor& k, const poplar::Tensor& v, unsigned dim,
                            poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
// Both put in order.
void sortKeyValueInPlace(poplar::Graph& graph, const poplar::Tensor& k, const poplar::Tensor& v, unsigned dim,
                         poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops
