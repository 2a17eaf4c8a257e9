#include <poplar/Vertex.hpp>

class Scale : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> data;
  float factor;

  bool compute() {
    for (unsigned i = 0; i < data.size(); ++i) {
      const float before = data[i];
      data[i] = before * factor;
    }
    return true;
  }
};
