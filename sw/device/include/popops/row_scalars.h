// Vertices that read or change one element of each row (sw/libs/popops/row_scalars.cpp names them).
//
// A block is elements [first, first + size) of rows of `width` elements, one row after another. An index that is all
// ones stands for none; another that is not below `width` for an error.
#pragma once

#include <limits>

#include <popops/share.h>
#include <poplar/Vertex.hpp>

namespace popops {

// The bits of the elements, 0 where the block does not have them; `wrong` for an error.
template <class Bits>
class SelectInRows : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<Bits>> block;
  poplar::Input<poplar::Vector<unsigned>> indices;
  poplar::Output<poplar::Vector<Bits, poplar::VectorLayout::SPAN, 8>> out;
  unsigned first, size, width, wrong;

  void compute(unsigned worker) {
    const Share share = share_of<Bits>(worker, out.size());
    for (unsigned row = share.begin; row < share.end; ++row) {
      const unsigned index = indices[row], at = index - first;
      Bits found = 0;
      if (index + 1 > width)
        found = static_cast<Bits>(wrong);
      else if (index + 1 != 0 && at < size)
        found = block[row * size + at];
      out[row] = found;
    }
  }
};

// The elements made smaller by 1; for an error the row becomes NaN.
template <class T>
class DecrementInRows : public poplar::MultiVertex {
 public:
  poplar::InOut<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> block;
  poplar::Input<poplar::Vector<unsigned>> indices;
  unsigned first, size, width;

  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, block.size());
    for (unsigned row = share.begin / size, begin = row * size; begin < share.end; ++row, begin += size) {
      const unsigned index = indices[row], at = index - first;
      if (index + 1 == 0) continue;
      // The part of the row that is this worker's.
      const unsigned low = begin < share.begin ? share.begin : begin;
      const unsigned high = begin + size < share.end ? begin + size : share.end;
      if (index >= width) {
        for (unsigned i = low; i < high; ++i) block[i] = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
      } else if (at < size && begin + at >= low && begin + at < high) {
        block[begin + at] = static_cast<T>(block[begin + at] - static_cast<T>(1.0f));
      }
    }
  }
};

}  // namespace popops
