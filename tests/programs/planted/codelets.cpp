// Codelets of four programs, each with mistakes to choose from: template argument 0 has none. The line that is told is
// marked `bug: NUMBER`.
#include <array>
#include <cassert>
#include <cmath>

#include <poplar/Vertex.hpp>

using namespace poplar;

// One step of heat on a rod, of which each tile has a part.
template <int kBug>
class Heat : public Vertex {
 public:
  Input<Vector<float>> in;
  Input<float> left, right;
  Output<Vector<float>> out;
  float k;

  bool compute() {
    const int n = in.size();
    const float* raw = &in[0];
    for (int i = 0; i < n; ++i) {
      float before = i == 0 ? *left : in[i - 1];  // bug: 6
      float after = i == n - 1 ? *right : in[i + 1];
      if constexpr (kBug == 1) after = in[i + 1];         // bug: 1
      if constexpr (kBug == 7) out[i] = out[i] + before;  // bug: 7
      out[i] = in[i] + k * (before - 2 * in[i] + after);
    }
    if constexpr (kBug == 2) out[0] = in[n - 9];                    // bug: 2
    if constexpr (kBug == 5) out[0] = raw[n + 24];                  // bug: 5
    if constexpr (kBug == 8) out[0] = (out[0] - out[1]) / (k - k);  // bug: 8
    if constexpr (kBug == 3)
      for (int i = 0; i <= n; ++i) out[i] = 0;  // bug: 3
    if constexpr (kBug == 4) {
      volatile float* to = &out[0];
      for (int i = 0; i < 2 * n; ++i) to[i] = 0;  // bug: 4
    }
    return true;
  }
};
template class Heat<0>;
template class Heat<1>;
template class Heat<2>;
template class Heat<3>;
template class Heat<4>;
template class Heat<5>;
template class Heat<7>;
template class Heat<8>;

// Counts values by their size.
template <int kBug>
class Histogram : public Vertex {
 public:
  Input<Vector<int>> values;
  Output<Vector<int>> bins;
  int width;

  int bin(int value) {
    if constexpr (kBug == 10) return value / (width - 10);  // bug: 10
    if constexpr (kBug == 16) {
      if (value < 1000) return value / width;  // bug: 16
    } else {
      return value / width;
    }
  }

  bool compute() {
    const int n = bins.size();
    volatile int counts[16];
    std::array<int, 8> own{};
    if constexpr (kBug != 13)
      for (int i = 0; i < 16; ++i) counts[i] = 0;
    for (const int value : values) {
      const int b = bin(value);
      if constexpr (kBug == 14) assert(value < 70);  // bug: 14
      if constexpr (kBug == 12) own[b + 3] += 1;     // bug: 12
      if constexpr (kBug == 11) {
        counts[3 * b] = 1;  // bug: 11
      } else {
        counts[b] = counts[b] + 1;  // bug: 13
      }
    }
    for (int i = 0; i < n; ++i) bins[i] = counts[i] + own[0];
    if constexpr (kBug == 9) bins[values[3]] = 0;  // bug: 9
    if constexpr (kBug == 15) {
      volatile unsigned last = 3;
      for (unsigned i = last; i >= 0; --i) bins[i & 3] = i;  // bug: 15
    }
    return true;
  }
};
template class Histogram<0>;
template class Histogram<9>;
template class Histogram<10>;
template class Histogram<11>;
template class Histogram<12>;
template class Histogram<13>;
template class Histogram<14>;
template class Histogram<15>;
template class Histogram<16>;

template <int kBug>
__attribute__((noinline)) float deep(const float* x, int n) {  // bug: 24
  volatile float kept[8] = {x[0]};
  return n == 0 ? kept[0] : kept[0] + deep<kBug>(x + 1, n - 1);
}

// A part of the rows of a matrix, times a vector.
template <int kBug>
class Rows : public Vertex {
 public:
  Vector<Input<Vector<float>>> rows;
  Input<Vector<float, VectorLayout::ONE_PTR>> x;
  Output<Vector<float>> y;
  unsigned address;

  bool compute() TESSERA_STACK_SIZE(512) {
    const unsigned columns = rows[0].size();
    for (unsigned i = 0; i < y.size(); ++i) {
      float sum = 0;
      for (unsigned j = 0; j < columns; ++j) {
        if constexpr (kBug == 17) sum += x[j + 1];            // bug: 17
        if constexpr (kBug == 18) sum += rows[j][i];          // bug: 18
        if constexpr (kBug == 19) sum += rows[i][8 * i + j];  // bug: 19
        sum += rows[i][j] * x[j];
      }
      y[i] = sum;
    }
    if constexpr (kBug == 20) {
      const float* bias = reinterpret_cast<const float*>(address);
      y[0] = y[0] + bias[0];  // bug: 20
    }
    if constexpr (kBug == 21) {
      const float* odd = reinterpret_cast<const float*>(reinterpret_cast<const char*>(&x[0]) + address + 2);
      y[0] = *odd;  // bug: 21
    }
    if constexpr (kBug == 22) const_cast<float&>(x[0]) = y[0];          // bug: 22
    if constexpr (kBug == 23) reinterpret_cast<void (*)()>(address)();  // bug: 23
    if constexpr (kBug == 24) y[0] = deep<kBug>(&x[0], 100);
    return true;
  }
};
template class Rows<0>;
template class Rows<17>;
template class Rows<18>;
template class Rows<19>;
template class Rows<20>;
template class Rows<21>;
template class Rows<22>;
template class Rows<23>;
template class Rows<24>;

// Shares that add up to one.
template <int kBug>
class Softmax : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  int mode;

  bool compute() {
    float most = in[0];  // bug: 30
    float sum = 0;
    for (const float value : in) most = value > most ? value : most;
    if constexpr (kBug == 25) {
      const bool flag = *reinterpret_cast<const bool*>(&mode);  // bug: 25
      most += flag ? 1 : 0;
    }
    if constexpr (kBug == 26) {
      if (mode != 0) __builtin_unreachable();  // bug: 26
    }
    for (unsigned i = 0; i < in.size(); ++i) {
      const float away = in[i] - most;
      out[i] = std::exp(away);
      sum += out[i];
    }
    if constexpr (kBug == 27) sum += in[1] * 3e38f;                // bug: 27
    if constexpr (kBug == 28) sum += std::sqrt(in[0] - most - 1);  // bug: 28
    if constexpr (kBug == 29) sum -= sum;
    for (unsigned i = 0; i < in.size(); ++i) out[i] = out[i] / sum;  // bug: 29
    return true;
  }
};
template class Softmax<0>;
template class Softmax<25>;
template class Softmax<26>;
template class Softmax<27>;
template class Softmax<28>;
template class Softmax<29>;

// The same by six workers, and by the supervisor.
class SharedFill : public MultiVertex {
 public:
  Output<Vector<float>> out;
  bool compute(unsigned worker) {
    volatile float* to = &out[0];
    for (unsigned i = worker; i < out.size() + 2; i += 6) to[i] = 1;  // bug: 31
    return true;
  }
};
class Counts : public SupervisorVertex {
 public:
  Output<Vector<int>> out;
  int n;
  bool compute() {
    for (int i = 0; i <= n; ++i) out[i] = i;  // bug: 32
    return true;
  }
};
