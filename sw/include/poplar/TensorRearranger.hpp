// Puts the elements of a tensor in the order of its memory, and others of its size in the same way. Made by
// Graph::getSimplifyingRearranger.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

class Graph;

class TensorRearranger {
 public:
  TensorRearranger() : elements_(0), valid_(false) {}  // of no tensor: its use throws poplar_error
  bool valid() const { return valid_; }

  // The elements in the order of the memory of the tensor that this was made for, flattened; and back. Throws
  // poplar_error for a tensor of another number of elements.
  Tensor rearrange(const Tensor& t) const;
  Tensor undoRearrangement(const Tensor& t) const;
  // Where elements of these intervals stand after the same, in the order in which they are given. Throws index_error
  // for an interval outside of the tensor.
  std::vector<Interval> rearrange(ArrayRef<Interval> intervals) const;
  std::vector<Interval> undoRearrangement(ArrayRef<Interval> intervals) const;

 private:
  friend class Graph;
  TensorRearranger(std::size_t elements, std::vector<Interval> order);

  std::size_t elements_;
  bool valid_;
  std::vector<Interval> order_;  // of the tensor, as they come after rearrange
  std::vector<Interval> back_;   // of what rearrange gives, as they come after undoRearrangement
};

}  // namespace poplar
