// Rows of keys put in order with nothing that goes with them.
#pragma once

#include <cstddef>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// Fewer keys of a row are left to one worker, more to merges: the network counts the numbers of a row in FLOAT.
constexpr std::size_t kLeastRowOfNetwork = 9, kMostRowOfNetwork = std::size_t{1} << 24;

// keys: [rows, n], of a type of up to 32 bits. The same, each row ascending or descending.
poplar::Tensor sort_keys(poplar::Graph& graph, const poplar::Tensor& keys, bool descending,
                         poplar::program::Sequence& prog, const poplar::DebugContext& context);

}  // namespace popops
