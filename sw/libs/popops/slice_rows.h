// Rows of a matrix read and written at offsets that a tensor holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/popops/blocks.h"

namespace popops {

// A dimension of a tensor against all others: [others, dimension].
poplar::Tensor matrix_along(const poplar::Tensor& t, std::size_t dim);

// The unsigned type of the same size.
poplar::Type bits_of(const poplar::Graph& graph, const poplar::Tensor& t);

// What offsets that are no row's number mean.
struct OffsetOptions {
  bool remap = false;    // row 0
  bool padding = false;  // the number of rows itself stays no row
};

// Offsets and what they stand for: of each, `size` rows from there on, around the end.
struct Rows {
  poplar::Tensor offsets;  // [n], or [n, tiles] with an offset for each tile; UNSIGNED_INT or INT
  std::size_t size;
  OffsetOptions options;
};

// Compute sets of one or several slices that run together.
struct SliceStages {
  poplar::ComputeSet rows;                // vertices that read or write the rows
  std::vector<poplar::ComputeSet> joins;  // after them, where a slice comes from several tiles
};

// The rows of matrix [columns, rows]: [n * size, columns], zeros for an offset that stands for no row. out: of that
// shape, or not valid: then one is made.
poplar::Tensor slice_rows(poplar::Graph& graph, const poplar::Tensor& matrix, const Rows& rows, poplar::Tensor out,
                          SliceStages& stages, const poplar::DebugContext& debugContext);

// out [n, columns], unsigned: the sums of what `partial` has for its columns, [n, columns of a stretch] for each.
void join_stretches(poplar::Graph& graph, const std::vector<Stretch>& parts, const std::vector<poplar::Tensor>& partial,
                    const poplar::Tensor& out, std::vector<poplar::ComputeSet>& joins,
                    const poplar::DebugContext& debugContext);

enum class UpdateOp { Replace, Add, Max, Mul };

// The rows of matrix [columns, rows] become, or are joined with, those of slices [n * size, columns], in their order.
// scale: of one element, for Add.
void update_rows(poplar::Graph& graph, const poplar::Tensor& matrix, const poplar::Tensor& slices, const Rows& rows,
                 UpdateOp op, const poplar::Tensor& scale, poplar::ComputeSet cs);

}  // namespace popops
