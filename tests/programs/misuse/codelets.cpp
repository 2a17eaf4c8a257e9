#include <poplar/Vertex.hpp>

class AddOne : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> data;
  bool compute() {
    for (auto& value : data) value += 1.0f;
    return true;
  }
};

class LoopForEver : public poplar::Vertex {
 public:
  poplar::InOut<int> counter;
  bool compute() {
    volatile int* value = &*counter;
    while (*value >= 0) *value = *value & 0xff;
    return true;
  }
};

class LoadFromNowhere : public poplar::Vertex {
 public:
  poplar::Output<int> out;
  bool compute() {
    *out = *reinterpret_cast<volatile int*>(0x1000);
    return true;
  }
};
