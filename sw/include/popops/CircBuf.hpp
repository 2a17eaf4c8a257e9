// The last tensors that were added, overwritten in turn.
#pragma once

#include <cstddef>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

class CircBuf {
 public:
  // Room for `size` tensors of that type and shape. The graph must outlive the buffer. Misuse of all functions throws
  // poputil::poplibs_error.
  CircBuf(poplar::Graph& graph, const poplar::Type& dataType, unsigned size, const std::vector<std::size_t>& shape,
          const poplar::DebugContext& debugContext = {});

  // A copy of the tensor added i calls of add() before the last one; i is below size. What was not added yet is
  // undefined.
  poplar::Tensor prev(unsigned i, poplar::program::Sequence& seq, const poplar::DebugContext& debugContext = {});
  // t: of the buffer's type and shape.
  void add(poplar::Tensor t, poplar::program::Sequence& seq, const poplar::DebugContext& debugContext = {});

  // Where the last tensor is: UNSIGNED_INT, of one element, 0 when the program is loaded.
  poplar::Tensor getIndex() const { return index; }
  unsigned size() const { return size_; }
  // The mapping of what prev() gives, of which t is best mapped too.
  poplar::Graph::TileToTensorMapping getTileMapping();

 private:
  poplar::Graph& graph;
  unsigned size_;
  poplar::Tensor index;
  std::vector<std::size_t> shape;
  poplar::Tensor hist;  // [size, elements]
};

}  // namespace popops
