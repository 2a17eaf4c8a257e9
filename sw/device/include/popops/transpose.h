// Vertices that transpose matrices (sw/libs/popops/transpose.cpp names them).
#pragma once

#include <ipu_builtins.h>

#include <popops/share.h>
#include <poplar/Vertex.hpp>

namespace popops {

// Matrices one after another, each `rows` x `columns`, to as many `columns` x `rows`, element by element.
template <class T>
class Transpose : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<T>> in;
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> out;
  unsigned rows, columns;

  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, out.size());
    if (share.empty()) return;
    const unsigned size = rows * columns, at = share.begin % size;
    const T* matrix = in.begin() + (share.begin - at);
    unsigned column = at / rows, row = at % rows;
    for (unsigned i = share.begin; i < share.end; ++i) {
      out[i] = matrix[row * columns + column];
      if (++row < rows) continue;
      row = 0;
      if (++column < columns) continue;
      column = 0;
      matrix += size;
    }
  }
};

// The same of halves, in blocks of 4 x 4: `rows` and `columns` count blocks.
template <class T>
class TransposeBlocks : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> in;
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> out;
  unsigned rows, columns;

  void compute(unsigned worker) {
    const unsigned size = 16 * rows * columns;
    unsigned column = 0, row = 0, matrix = 0;
    const auto advance = [&](unsigned blocks) {
      for (column += blocks; column >= columns;) {
        column -= columns;
        if (++row == rows) {
          row = 0;
          matrix += size;
        }
      }
    };
    for (advance(worker); matrix < out.size(); advance(numWorkers())) {
      // In halves of 4 elements: from row to row, from column to column.
      const half2* from = reinterpret_cast<const half2*>(in.begin() + matrix + 4 * (4 * row * columns + column));
      half2* to = reinterpret_cast<half2*>(out.begin() + matrix + 4 * (4 * column * rows + row));
      const unsigned next_row = 2 * columns, next_column = 2 * rows;
      for (unsigned i = 0; i < 2; ++i, ++from, to += 2 * next_column) {
        const half2 a = from[0], b = from[next_row], c = from[2 * next_row], d = from[3 * next_row];
        to[0] = __builtin_ipu_sort4x16lo(a, b);
        to[1] = __builtin_ipu_sort4x16lo(c, d);
        to[next_column] = __builtin_ipu_sort4x16hi(a, b);
        to[next_column + 1] = __builtin_ipu_sort4x16hi(c, d);
      }
    }
  }
};

}  // namespace popops
