// Codelets that touch memory as they should not; nothing is compiled into them that would notice. The line that is told
// is marked `planted: NAME`.
#include <poplar/Vertex.hpp>

using namespace poplar;

struct Fields : Vertex {
  Input<Vector<int>> in;       // 8 elements
  Input<Vector<int>> nowhere;  // 4 elements that nobody writes
  Output<Vector<int>> out;     // 4 elements
  int n;
};

struct Nothing : Fields {  // nothing wrong
  bool compute() {
    volatile int kept[4];
    for (unsigned i = 0; i < 4; ++i) kept[i] = in[i] + in[7 - i];
    for (unsigned i = 0; i < 4; ++i) out[i] = kept[i];
    out[0] = out[0] + out[3];
    return true;
  }
};

struct ReadsUnwritten : Fields {
  bool compute() {
    out[0] = in[0] + nowhere[n];  // planted: ReadsUnwritten
    return true;
  }
};

struct AddsToOutput : Fields {
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = out[i] + in[i];  // planted: AddsToOutput
    return true;
  }
};

struct ReadsStack : Fields {
  bool compute() {
    volatile int kept[4];
    for (int i = 0; i < n; ++i) kept[i] = in[i];
    out[0] = kept[n];  // planted: ReadsStack
    return true;
  }
};

struct WalksPastEnd : Fields {
  bool compute() {
    int* to = &out[0];
    for (int i = 0; i < n + 3; ++i) *to++ = i;  // planted: WalksPastEnd
    return true;
  }
};

struct WritesInput : Fields {
  bool compute() {
    const_cast<int&>(in[n]) = 5;  // planted: WritesInput
    out[0] = in[n];
    return true;
  }
};

struct ReadsNeighbour : Fields {
  bool compute() {
    const int* from = &in[0];
    out[0] = from[n + 14];  // planted: ReadsNeighbour
    return true;
  }
};
