// A step of Adam for a part of a layer.
#include <cmath>
#include <poplar/Vertex.hpp>

// The loss is half the squared distance to `target`; `first` and `second` are the moments.
class Adam : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> weights, first, second;
  poplar::Input<poplar::Vector<float>> target;
  float rate;

  bool compute() {
    for (unsigned i = 0; i < weights.size(); ++i) {
      const float gradient = weights[i] - target[i];
      first[i] = 0.9f * first[i] + 0.1f * gradient;
      second[i] = 0.99f * second[i] + 0.01f * gradient * gradient;
      weights[i] -= rate * first[i] / (std::sqrt(second[i]) + 1e-6f);
    }
    return true;
  }
};
