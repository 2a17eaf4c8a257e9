// A vertex of loops (sw/libs/popops/loop.cpp names it).
#pragma once

#include <poplar/Vertex.hpp>

namespace popops {

// count goes on by a step; more: whether it is not at its limit.
template <class T>
class CountOn : public poplar::Vertex {
 public:
  poplar::InOut<T> count;
  poplar::Input<T> limit;
  poplar::Output<unsigned> more;
  T step;

  void compute() {
    *count = *count + step;
    *more = *count != *limit ? 1 : 0;
  }
};

}  // namespace popops
