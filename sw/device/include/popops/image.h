// A vertex of pictures (sw/libs/popops/normalise_image.cpp names it).
#pragma once

#include <poplar/Vertex.hpp>

namespace popops {

// Pixels of three channels to pixels of four, which are whole words: each has one worker.
template <class In, class Out>
class NormalisePixels : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<In>> in;
  poplar::Input<poplar::Vector<Out>> offsets, scales;
  poplar::Output<poplar::Vector<Out, poplar::VectorLayout::SPAN, 8>> out;
  float scale;

  void compute(unsigned worker) {
    for (unsigned i = worker; i < out.size() / 4; i += numWorkers()) {
      for (unsigned c = 0; c < 3; ++c) {
        const float x = static_cast<float>(in[3 * i + c]) * scale - static_cast<float>(offsets[c]);
        out[4 * i + c] = static_cast<Out>(x * static_cast<float>(scales[c]));
      }
      out[4 * i + 3] = static_cast<Out>(0.0f);
    }
  }
};

}  // namespace popops
