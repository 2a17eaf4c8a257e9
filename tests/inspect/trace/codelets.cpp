#include <poplar/Vertex.hpp>

class Scale : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<poplar::Vector<float>> out;
#ifdef SCALE_LARGER
  int spare0, spare1, spare2, spare3;
#endif
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
#ifdef SUM_ONE_LESS
    for (unsigned i = 1; i < in.size(); ++i) sum += in[i];
#else
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
#endif
#ifdef SUM_SLOWLY
    for (unsigned i = 0; i < in.size(); ++i) asm volatile("nop");
#endif
#ifdef SUM_OTHERWISE
    asm volatile("andi zero, zero, 0");
#else
    asm volatile("nop");
#endif
    *total = sum;
    return true;
  }
};
