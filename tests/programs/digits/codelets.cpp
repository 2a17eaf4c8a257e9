// Softmax regression: the gradient of a few samples, the update of a few weights, and the score of a few held-out
// samples. A sample is 64 pixels; a weight row is 64 weights and a bias, one row per class.
#include <cmath>
#include <poplar/Vertex.hpp>

namespace {

constexpr unsigned kPixels = 64;
constexpr unsigned kClasses = 10;
constexpr unsigned kRow = kPixels + 1;

void class_scores(const float* weights, const float* image, float* scores) {
  for (unsigned c = 0; c < kClasses; ++c) {
    const float* row = weights + c * kRow;
    // Four sums, so that each multiply-add finds its operands loaded.
    float s0 = row[kPixels], s1 = 0, s2 = 0, s3 = 0;
    for (unsigned p = 0; p < kPixels; p += 4) {
      s0 = __builtin_fmaf(row[p], image[p], s0);
      s1 = __builtin_fmaf(row[p + 1], image[p + 1], s1);
      s2 = __builtin_fmaf(row[p + 2], image[p + 2], s2);
      s3 = __builtin_fmaf(row[p + 3], image[p + 3], s3);
    }
    scores[c] = (s0 + s1) + (s2 + s3);
  }
}

}  // namespace

// gradient[650] and loss[1] of the samples images[n x 64] with labels[n], summed over the samples.
class Gradient : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> weights;
  poplar::Input<poplar::Vector<float>> images;
  poplar::Input<poplar::Vector<int>> labels;
  poplar::Output<poplar::Vector<float>> gradient;
  poplar::Output<float> loss;

  bool compute() {
    for (unsigned i = 0; i < kClasses * kRow; ++i) gradient[i] = 0.0f;
    float total = 0.0f;
    for (unsigned n = 0; n < labels.size(); ++n) {
      const float* image = &images[n * kPixels];
      float scores[kClasses];
      class_scores(&weights[0], image, scores);
      float largest = scores[0];
      for (unsigned c = 1; c < kClasses; ++c) largest = scores[c] > largest ? scores[c] : largest;
      float sum = 0.0f;
      float shares[kClasses];
      for (unsigned c = 0; c < kClasses; ++c) {
        shares[c] = expf(scores[c] - largest);
        sum += shares[c];
      }
      const unsigned label = static_cast<unsigned>(labels[n]);
      total += logf(sum) - (scores[label] - largest);
      for (unsigned c = 0; c < kClasses; ++c) {
        const float delta = shares[c] / sum - (c == label ? 1.0f : 0.0f);
        float* row = &gradient[c * kRow];
        for (unsigned p = 0; p < kPixels; ++p) row[p] = __builtin_fmaf(delta, image[p], row[p]);
        row[kPixels] += delta;
      }
    }
    *loss = total;
    return true;
  }
};

// weights[n] -= step * the sum of n gradients of all groups; partials holds group after group, n elements each.
class Update : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> partials;
  poplar::InOut<poplar::Vector<float>> weights;
  float step;

  bool compute() {
    const unsigned n = weights.size();
    const unsigned groups = partials.size() / n;
    for (unsigned i = 0; i < n; ++i) {
      float sum = 0.0f;
      for (unsigned g = 0; g < groups; ++g) sum += partials[g * n + i];
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

// class with the largest score, per sample.
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
