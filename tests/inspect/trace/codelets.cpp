#include <poplar/Vertex.hpp>

class Scale : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<poplar::Vector<float>> out;
  float factor;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = factor * in[i];
    return true;
  }
};

class Sum : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::InOut<float> total;
  bool compute() {
    float sum = *total;
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
    *total = sum;
    return true;
  }
};
