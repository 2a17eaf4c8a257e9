// Fields by all the names that codelets include them by.
#include <poplar/FieldTypes.hpp>
#include <poplar/InOutTypes.hpp>
#include <poplar/VectorLayout.hpp>
#include <poplar/VectorListTypes.hpp>
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

// Counts its own executions in its state.
class CountRuns : public poplar::Vertex {
 public:
  poplar::Output<int> out;
  int runs;
  bool compute() {
    *out = ++runs;
    return true;
  }
};

class DivideByZero : public poplar::Vertex {
 public:
  poplar::InOut<float> value;
  bool compute() {
    *value = *value / 0.0f;
    return true;
  }
};

class SpinFor : public poplar::Vertex {
 public:
  poplar::InOut<int> turns;
  bool compute() {
    volatile int* left = &*turns;
    while (*left > 0) *left = *left - 1;
    return true;
  }
};
