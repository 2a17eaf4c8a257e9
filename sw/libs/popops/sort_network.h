// Rows of keys put in order by a network of merges.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

// How rows of n elements are dealt out: each is cut into chunks, a power of two of them, all of one size.
struct SortLayout {
  std::size_t rows, n;
  std::size_t chunks, size;  // of a row; the last ones may have fewer elements, or none
  std::size_t chunks_of_tile;

  SortLayout(const poplar::Graph& graph, std::size_t rows, std::size_t n);
  unsigned tile(std::size_t row, std::size_t chunk) const {
    return static_cast<unsigned>((row * chunks + chunk) / chunks_of_tile);
  }
};

// A variable [rows, n] that lies as the layout says.
poplar::Tensor make_rows(poplar::Graph& graph, const SortLayout& layout, const poplar::Type& type,
                         const poplar::DebugContext& debugContext);

struct SortedRows {
  poplar::Tensor keys;    // [rows, k]
  poplar::Tensor places;  // UNSIGNED_INT: where in the row a key was; not valid if not asked for
  poplar::Tensor values;  // what stood there; not valid if none were given
};

// The first k of each row of keys, ascending or descending; equal ones by their places, if those are asked for, which
// values do too. values: not valid, or of the keys' shape. Types of up to 32 bits.
SortedRows sort_rows(poplar::Graph& graph, const poplar::Tensor& keys, const poplar::Tensor& values, bool with_places,
                     std::size_t k, bool descending, poplar::program::Sequence& prog,
                     const poplar::DebugContext& debugContext);

}  // namespace popops
