// Two dense layers: what a stage of the pipeline does with a micro-batch. Matrices are row after row; a row of `in` or
// `out` is a sample.
#include <poplar/Vertex.hpp>

// out[n x outputs] = the positive part of in[n x inputs] times weights[inputs x outputs].
class Forward : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in, weights;
  poplar::Output<poplar::Vector<float>> out;
  unsigned samples;

  bool compute() {
    const unsigned inputs = in.size() / samples, outputs = out.size() / samples;
    for (unsigned n = 0; n < samples; ++n)
      for (unsigned o = 0; o < outputs; ++o) {
        float sum = 0.0f;
        for (unsigned i = 0; i < inputs; ++i) sum += in[n * inputs + i] * weights[i * outputs + o];
        out[n * outputs + o] = sum > 0.0f ? sum : 0.0f;
      }
    return true;
  }
};

// gradient[inputs x outputs] += in^T times error, for outputs that were positive.
class Accumulate : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in, out, error;
  poplar::InOut<poplar::Vector<float>> gradient;
  unsigned samples;

  bool compute() {
    const unsigned inputs = in.size() / samples, outputs = out.size() / samples;
    for (unsigned i = 0; i < inputs; ++i)
      for (unsigned o = 0; o < outputs; ++o) {
        float sum = gradient[i * outputs + o];
        for (unsigned n = 0; n < samples; ++n)
          if (out[n * outputs + o] > 0.0f) sum += in[n * inputs + i] * error[n * outputs + o];
        gradient[i * outputs + o] = sum;
      }
    return true;
  }
};

// The last layer: error = in times weights less target; gradient += in^T times error; back = error times weights^T.
class LastLayer : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in, weights, target;
  poplar::InOut<poplar::Vector<float>> gradient;
  poplar::Output<poplar::Vector<float>> back;
  unsigned samples;

  bool compute() {
    const unsigned inputs = in.size() / samples;
    for (unsigned i = 0; i < back.size(); ++i) back[i] = 0.0f;
    for (unsigned n = 0; n < samples; ++n) {
      float error = -target[n];
      for (unsigned i = 0; i < inputs; ++i) error += in[n * inputs + i] * weights[i];
      for (unsigned i = 0; i < inputs; ++i) {
        gradient[i] += in[n * inputs + i] * error;
        back[n * inputs + i] = error * weights[i];
      }
    }
    return true;
  }
};

// weights -= rate * gradient, which begins anew.
class Step : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> weights, gradient;
  float rate;

  bool compute() {
    for (unsigned i = 0; i < weights.size(); ++i) {
      weights[i] -= rate * gradient[i];
      gradient[i] = 0.0f;
    }
    return true;
  }
};
