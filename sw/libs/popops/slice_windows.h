// Slices of one or several dimensions of a tensor, at offsets into each, seen as rows of a table.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/popops/slice_rows.h"

namespace popops {

struct SliceWindows {
  const std::vector<std::size_t>& dims;   // of the tensor, at least one
  const std::vector<std::size_t>& sizes;  // of a slice in each of them, none 0
};

// [columns, rows]: the dimensions, the first one outermost, as one against all others.
poplar::Tensor table_of(const poplar::Tensor& t, const SliceWindows& windows);

// Of offsets [n, dims]: those of the rows of slice 0, then of slice 1. Adds to prog what computes them.
Rows rows_at(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& offsets, const SliceWindows& windows,
             const OffsetOptions& options, poplar::program::Sequence& prog, const poplar::DebugContext& context);

// Slices [n, shape of a slice of t] as rows [n * rows of a slice, columns], and back.
poplar::Tensor rows_of(const poplar::Tensor& slices, const SliceWindows& windows);
poplar::Tensor slices_of(const poplar::Tensor& rows, const poplar::Tensor& t, const SliceWindows& windows);

}  // namespace popops
