// Vertices that write numbers of elements out (sw/libs/popops/encoding.cpp names them).
#pragma once

#include <popops/share.h>
#include <poplar/Vertex.hpp>

namespace popops {

// Elements of rows of `width`, from element `first` of a row on: on where a row's index says, else off.
template <class T>
class OneHot : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> indices;  // of the rows
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> out;
  poplar::Input<T> on, off;
  unsigned width, first;

  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, out.size());
    if (share.empty()) return;
    const T hot = *on, cold = *off;
    unsigned row = (share.begin + first) / width, column = (share.begin + first) % width;
    for (unsigned i = share.begin; i < share.end; ++i) {
      out[i] = column == indices[row] ? hot : cold;
      if (++column == width) {
        column = 0;
        ++row;
      }
    }
  }
};

// first, first + 1, ...
template <class T>
class Iota : public poplar::MultiVertex {
 public:
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> out;
  T first;

  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, out.size());
    for (unsigned i = share.begin; i < share.end; ++i) out[i] = first + i;
  }
};

}  // namespace popops
