// Slices of a tensor at vectors of indices, as XLA has them, seen as rows of a table at offsets.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/popops/slice_rows.h"

namespace popops {

// What an index stands for at which its slice does not fit.
enum class Beyond {
  Clamp,  // the nearest at which it does
  Skip    // nothing
};

class IndexVectors {
 public:
  // Dimension vector_dim of indices holds the vectors (indices.rank(): each index is one); element k of a vector is an
  // index into dimension index_map[k] of t, where the slice has slice_sizes. Throws poplibs_error.
  IndexVectors(const std::string& function, poplar::Graph& graph, const poplar::Tensor& t,
               const poplar::Tensor& indices, std::size_t vector_dim, const std::vector<std::size_t>& slice_sizes,
               const std::vector<unsigned>& index_map, Beyond beyond);

  const std::vector<std::size_t>& batch() const { return batch_; }  // the other dimensions of indices
  std::size_t number() const;                                       // of vectors
  bool indexed() const { return !chosen_.empty(); }                 // else every slice is that at 0

  // [rows, others]: the indexed dimensions as one. Without what no slice reaches.
  poplar::Tensor table() const;
  // How many rows follow each offset.
  std::size_t size() const { return chosen_.size() == 1 ? chosen_[0].window : 1; }
  // UNSIGNED_INT, a vector: all offsets of the first index vector, then the next's.
  poplar::Tensor offsets(const OffsetOptions& options, poplar::program::Sequence& prog,
                         const poplar::DebugContext& context);
  // The rows of all offsets, [n, size, others], as [batch..., slice...], and back.
  poplar::Tensor to_slices(const poplar::Tensor& rows) const;
  poplar::Tensor to_rows(const poplar::Tensor& slices) const;

 private:
  struct Index {
    std::size_t element;  // of the vectors
    std::size_t dim;      // of t
    std::size_t window;   // of the slice there
  };
  poplar::Tensor one_index(const Index& index, const OffsetOptions& options, poplar::program::Sequence& prog,
                           const poplar::DebugContext& context);
  std::vector<unsigned> order() const;  // the dimensions of the table, in t

  poplar::Graph& graph_;
  std::vector<std::size_t> sizes_;  // of a slice
  Beyond beyond_;
  poplar::Tensor vectors_;  // [batch..., elements]
  std::vector<std::size_t> batch_;
  poplar::Tensor source_;
  std::vector<Index> chosen_;
};

}  // namespace popops
