// A vertex that counts (sw/libs/popops/histogram.cpp names it).
#pragma once

#include <ipu_intrinsics>

#include <poplar/Vertex.hpp>

namespace popops {

// counts[i]: how many elements of all regions have i levels that they reach; levels ascend.
template <class T, class Count, bool kAbsolute>
class Histogram : public poplar::Vertex {
 public:
  poplar::Vector<poplar::Input<poplar::Vector<T>>> in;
  poplar::Input<poplar::Vector<T>> levels;
  poplar::Output<poplar::Vector<Count>> counts;

  void compute() {
    for (unsigned i = 0; i < counts.size(); ++i) counts[i] = 0;
    const T* const level = levels.begin();
    const unsigned n = levels.size();
    for (unsigned r = 0; r < in.size(); ++r) {
      for (unsigned i = 0; i < in[r].size(); ++i) {
        const T x = kAbsolute ? ipu::fabs(in[r][i]) : in[r][i];
        unsigned low = 0, high = n;
        while (low < high) {
          const unsigned middle = (low + high) / 2;
          if (x >= level[middle])
            low = middle + 1;
          else
            high = middle;
        }
        counts[low] += 1;
      }
    }
  }
};

}  // namespace popops
