// Vertices of B-splines (sw/libs/popops/splines.cpp names them).
#pragma once

#include <popops/share.h>
#include <poplar/Vertex.hpp>

namespace popops {

// Piece k of the uniform B-spline of a degree, at v from 0 to 1.
template <unsigned kDegree>
float spline_piece(unsigned k, float v) {
  static_assert(kDegree >= 1 && kDegree <= 3);
  const float u = 1.0f - v;
  if constexpr (kDegree == 1) return k == 0 ? u : v;
  if constexpr (kDegree == 2) return k == 0 ? 0.5f * u * u : k == 1 ? 0.5f + u * v : 0.5f * v * v;
  constexpr float kSixth = 1.0f / 6.0f;
  if (k == 0) return kSixth * u * u * u;
  if (k == 1) return kSixth * (4.0f + 3.0f * v * v * (v - 2.0f));
  if (k == 2) return kSixth * (4.0f + 3.0f * u * u * (u - 2.0f));
  return kSixth * v * v * v;
}

// Elements of rows of `splines`, from element `first` of the first edge on.
template <class T, unsigned kDegree>
class SplineBasis : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<T>> pseudo;  // of the edges
  poplar::Input<poplar::Vector<int>> sizes;
  poplar::Input<poplar::Vector<unsigned char>> open;
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> basis;
  poplar::Output<poplar::Vector<int, poplar::VectorLayout::SPAN, 8>> indices;
  unsigned first, splines;

  void compute(unsigned worker) {
    const unsigned dims = sizes.size();
    const Share share = share_of<T>(worker, basis.size());
    for (unsigned i = share.begin; i < share.end; ++i) {
      const unsigned edge = (first + i) / splines;
      unsigned rest = (first + i) % splines, index = 0, digit = 1;
      float product = 1.0f;
      for (unsigned d = 0; d < dims; ++d) {
        const unsigned k = rest % (kDegree + 1), size = static_cast<unsigned>(sizes[d]);
        rest /= kDegree + 1;
        const float v = static_cast<float>(pseudo[edge * dims + d]) *
                        static_cast<float>(sizes[d] - static_cast<int>(kDegree * open[d]));
        const auto whole = static_cast<unsigned>(v);
        index += (whole + k) % size * digit;
        digit *= size;
        product *= spline_piece<kDegree>(k, v - static_cast<float>(whole));
      }
      basis[i] = static_cast<T>(product);
      indices[i] = static_cast<int>(index);
    }
  }
};

// Elements of rows of `outputs`, from element `first` of the first edge on.
template <class T>
class SplineWeighting : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<T>> input, basis;  // of the edges
  poplar::Input<poplar::Vector<int>> indices;
  poplar::Input<poplar::Vector<T>> weight;
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> out;
  unsigned first, inputs, splines, outputs;

  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, out.size());
    for (unsigned n = share.begin; n < share.end; ++n) {
      const unsigned edge = (first + n) / outputs, o = (first + n) % outputs;
      float sum = 0.0f;
      for (unsigned s = edge * splines; s < (edge + 1) * splines; ++s) {
        const T* w = weight.begin() + static_cast<unsigned>(indices[s]) * inputs * outputs + o;
        float part = 0.0f;
        for (unsigned i = 0; i < inputs; ++i, w += outputs)
          part += static_cast<float>(input[edge * inputs + i]) * static_cast<float>(*w);
        sum += part * static_cast<float>(basis[s]);
      }
      out[n] = static_cast<T>(sum);
    }
  }
};

}  // namespace popops
