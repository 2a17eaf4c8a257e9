// Elements rearranged in memory: matrices transposed on their tiles, and tensors whose groups of neighbours change.
//
// A grouping says of which dimension how many elements lie together in memory, innermost
// (poputil/VarStructure.hpp). Misuse throws poputil::poplibs_error.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poputil/VarStructure.hpp>

namespace popops {
namespace rearrange {

// Whether transpositions go four rows and columns at a time: of HALF, SHORT and UNSIGNED_SHORT, where both numbers are
// multiples of 4. Others go element by element.
bool canUseFastTranspose(const poplar::Target& target, const poplar::Type& type, unsigned numRows, unsigned numColumns,
                         unsigned numTranspositions);

// Vertices that transpose matrices [rows, cols] of type dType. mapping: which of them each tile does; getInOut(i): the
// elements of matrix i before and after, flattened. What they are written to is mapped to the tile.
void addTransposeVertices(poplar::Graph& graph, const poplar::ComputeSet& cs, const poplar::Type& dType, unsigned rows,
                          unsigned cols, const poplar::Graph::TileToTensorMapping& mapping,
                          std::function<std::pair<const poplar::Tensor, const poplar::Tensor>(std::size_t)> getInOut,
                          const poplar::DebugContext& debugContext = {});

// The last two dimensions exchanged, in a new tensor whose elements lie in its order; each matrix on the tile of its
// first element.
poplar::Tensor partialTranspose(poplar::Graph& graph, const poplar::Tensor& in, const poplar::ComputeSet& cs,
                                const poplar::DebugContext& debugContext = {});

// The smallest group worth regrouping: 4 elements of 2 bytes, 2 of 4 bytes, else 1.
unsigned getMinimumRegroupGrainSize(const poplar::Type& type);

// t with groups `to`, where it had groups `from` of another dimension: a new tensor, spread evenly over the tiles, for
// which a copy and vertices that run after it are added. Both sizes divide their dimensions. A vector stays as it is.
poplar::Tensor regroupTensor(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& copies,
                             const poplar::ComputeSet& transposeCS, const poputil::GroupingInfo& from,
                             const poputil::GroupingInfo& to, const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupTensor(poplar::Graph& graph, const poplar::Tensor& t, std::vector<poplar::program::Copy>& copies,
                             const poplar::ComputeSet& transposeCS, const poputil::GroupingInfo& from,
                             const poputil::GroupingInfo& to, const poplar::DebugContext& debugContext = {});

// The same from the groups that t has, if they are of another dimension and multiples of the smallest worth it, and
// `to` divides its dimension; else t.
poplar::Tensor regroupIfPossible(poplar::Graph& graph, const poplar::Tensor& t, poplar::program::Sequence& prog,
                                 const poputil::GroupingInfo& to, const poplar::DebugContext& debugContext = {});

// The same to the groups that ref has, a tensor of that shape, if these too are multiples of the smallest worth it.
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& ref,
                                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& ref,
                                   std::vector<poplar::program::Copy>& copies, poplar::ComputeSet transposeCS,
                                   const poplar::DebugContext& debugContext = {});
// ... or to groups of that size of the last dimension, which they must divide.
poplar::Tensor regroupIfBeneficial(poplar::Graph& graph, const poplar::Tensor& in, std::size_t preferredGrouping,
                                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace rearrange
}  // namespace popops
