// Softmax regression: scores of samples, gradient of the weights, update of the weights, classes of held-out samples.
// A sample is 64 pixels. Weights are 65 rows of 10, one row per pixel and one for the bias: row p holds the weight of
// pixel p for each class.
#include <cmath>
#include <poplar/Vertex.hpp>

namespace {

constexpr unsigned kPixels = 64;
constexpr unsigned kClasses = 10;

void class_scores(const float* weights, const float* image, float* scores) {
  const float* bias = weights + kPixels * kClasses;
  float s[kClasses];
#pragma clang loop unroll(full)
  for (unsigned c = 0; c < kClasses; ++c) s[c] = bias[c];
  for (unsigned p = 0; p < kPixels; ++p, weights += kClasses) {
    const float x = image[p];
#pragma clang loop unroll(full)
    for (unsigned c = 0; c < kClasses; ++c) s[c] = __builtin_fmaf(weights[c], x, s[c]);
  }
#pragma clang loop unroll(full)
  for (unsigned c = 0; c < kClasses; ++c) scores[c] = s[c];
}

}  // namespace

// errors[n x 10] = softmax of the scores minus one for the label; loss = sum over the samples of -log of the label's
// share.
class Errors : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> weights;
  poplar::Input<poplar::Vector<float>> images;
  poplar::Input<poplar::Vector<int>> labels;
  poplar::Output<poplar::Vector<float>> errors;
  poplar::Output<float> loss;

  bool compute() {
    float total = 0.0f;
    for (unsigned n = 0; n < labels.size(); ++n) {
      float* error = &errors[n * kClasses];
      class_scores(&weights[0], &images[n * kPixels], error);
      const unsigned label = static_cast<unsigned>(labels[n]);
      const float label_score = error[label];
      float largest = error[0];
      for (unsigned c = 1; c < kClasses; ++c) largest = error[c] > largest ? error[c] : largest;
      float sum = 0.0f;
      for (unsigned c = 0; c < kClasses; ++c) {
        error[c] = expf(error[c] - largest);
        sum += error[c];
      }
      total += logf(sum) - (label_score - largest);
      const float scale = 1.0f / sum;
      for (unsigned c = 0; c < kClasses; ++c) error[c] *= scale;
      error[label] -= 1.0f;
    }
    *loss = total;
    return true;
  }
};

// Rows `first` and on of the gradient: pixel times error, summed over all samples of the tile. Row 64 is the bias.
class Gradient : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> images;
  poplar::Input<poplar::Vector<float>> errors;
  poplar::Output<poplar::Vector<float>> rows;
  unsigned first;

  bool compute() {
    const unsigned samples = errors.size() / kClasses;
    const unsigned count = rows.size() / kClasses;
    for (unsigned row = 0; row < count; ++row) {
      const unsigned pixel = first + row;
      float g[kClasses] = {};
      for (unsigned n = 0; n < samples; ++n) {
        const float x = pixel == kPixels ? 1.0f : images[n * kPixels + pixel];
        const float* error = &errors[n * kClasses];
#pragma clang loop unroll(full)
        for (unsigned c = 0; c < kClasses; ++c) g[c] = __builtin_fmaf(x, error[c], g[c]);
      }
#pragma clang loop unroll(full)
      for (unsigned c = 0; c < kClasses; ++c) rows[row * kClasses + c] = g[c];
    }
    return true;
  }
};

// weights[n] -= step * the sum of the tiles' gradients; gradients holds tile after tile, n elements each.
class Update : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> gradients;
  poplar::InOut<poplar::Vector<float>> weights;
  float step;

  bool compute() {
    const unsigned n = weights.size();
    const unsigned tiles = gradients.size() / n;
    for (unsigned i = 0; i < n; ++i) {
      float sum = 0.0f;
      for (unsigned t = 0; t < tiles; ++t) sum += gradients[t * n + i];
      weights[i] = weights[i] - step * sum;
    }
    return true;
  }
};

// total += the sum of values.
class AddLoss : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> values;
  poplar::InOut<float> total;

  bool compute() {
    float sum = 0.0f;
    for (unsigned i = 0; i < values.size(); ++i) sum += values[i];
    *total = *total + sum;
    return true;
  }
};

// Class with the largest score, per sample.
class Classify : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> weights;
  poplar::Input<poplar::Vector<float>> images;
  poplar::Output<poplar::Vector<int>> classes;

  bool compute() {
    for (unsigned n = 0; n < classes.size(); ++n) {
      float scores[kClasses];
      class_scores(&weights[0], &images[n * kPixels], scores);
      int best = 0;
      for (unsigned c = 1; c < kClasses; ++c)
        if (scores[c] > scores[best]) best = static_cast<int>(c);
      classes[n] = best;
    }
    return true;
  }
};
