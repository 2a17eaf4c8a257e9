// A vertex that copies sequences of rows (sw/libs/popops/sequence_slice.cpp names it).
#pragma once

#include <popops/slice.h>
#include <poplar/Vertex.hpp>

namespace popops {

// `block` has rows [first, first + rows) of the target, `from` all `sources` rows; a row is `columns` elements. Of
// sequence i, lengths[i] rows go from row sources_at[i] to row targets_at[i].
template <class T>
class CopySequences : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> lengths, sources_at, targets_at;
  poplar::Input<slicing::Span<T>> from;
  poplar::InOut<slicing::Span<T>> block;
  unsigned columns, first, sources;
  bool zero;

  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, block.size());
    if (share.empty()) return;
    if (zero) {
      for (unsigned i = share.begin; i < share.end; ++i) block[i] = T(0);
    }
    // The rows that have elements of this worker.
    const unsigned low = share.begin / columns, high = (share.end + columns - 1) / columns;
    for (unsigned i = 0; i < lengths.size(); ++i) {
      const unsigned source = sources_at[i], target = targets_at[i];
      if (source >= sources) continue;
      const unsigned n = lengths[i] < sources - source ? lengths[i] : sources - source;
      for (unsigned row = low; row < high; ++row) {
        const unsigned k = first + row - target;  // a large number for rows before the target
        if (first + row < target || k >= n) continue;
        const unsigned begin = row * columns < share.begin ? share.begin : row * columns;
        const unsigned end = (row + 1) * columns < share.end ? (row + 1) * columns : share.end;
        slicing::copy(block.begin() + begin, from.begin() + (source + k) * columns + (begin - row * columns),
                      end - begin);
      }
    }
  }
};

}  // namespace popops
