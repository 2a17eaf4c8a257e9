#include <ipu_intrinsics>
#include <poplar/Vertex.hpp>

// Two f32 to two f16 a turn, in one instruction: what stochastic rounding is about.
class ToHalf : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::SPAN, 8>> in;
  poplar::Output<poplar::Vector<half, poplar::VectorLayout::SPAN, 8>> out;
  void compute() {
    const float2* from = reinterpret_cast<const float2*>(in.begin());
    half2* to = reinterpret_cast<half2*>(out.begin());
    for (unsigned n = in.size() / 2; n != 0; --n) *to++ = ipu::to_half(*from++);
  }
};

class Square : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<half, poplar::VectorLayout::SPAN, 8>> values;
  void compute() {
    half4* at = reinterpret_cast<half4*>(values.begin());
    for (unsigned n = values.size() / 4; n != 0; --n, ++at) *at = *at * *at;
  }
};

// The first random number of each worker.
class Draw : public poplar::MultiVertex {
 public:
  poplar::Output<poplar::Vector<unsigned>> out;
  void compute(unsigned worker) {
    const unsigned long long drawn = __builtin_ipu_urand64();
    out[2 * worker] = static_cast<unsigned>(drawn);
    out[2 * worker + 1] = static_cast<unsigned>(drawn >> 32);
  }
};

class SpinFor : public poplar::Vertex {
 public:
  poplar::InOut<int> turns;
  void compute() {
    volatile int* left = &*turns;
    while (*left > 0) *left = *left - 1;
  }
};

// Some hundred bytes of stack.
class Deep : public poplar::Vertex {
 public:
  poplar::InOut<int> value;
  void compute() {
    volatile int room[64];
    for (int i = 0; i < 64; ++i) room[i] = *value + i;
    *value = room[63];
  }
};

// 80 kB of text each.
#define LONG_CODELET(name, number)               \
  class name : public poplar::Vertex {           \
   public:                                       \
    poplar::Output<int> out;                     \
    void compute() {                             \
      asm volatile(".rept 20000\n nop\n .endr"); \
      *out = number;                             \
    }                                            \
  };
LONG_CODELET(LongOne, 1)
LONG_CODELET(LongTwo, 2)

class AddTo : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<int>> in;
  poplar::InOut<poplar::Vector<int>> sum;
  void compute() {
    for (unsigned i = 0; i < in.size(); ++i) sum[i] += in[i];
  }
};
