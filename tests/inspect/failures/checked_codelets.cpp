// Codelets whose mistakes a checked build finds. The line that is told is marked `planted: NAME`.
#include <array>
#include <cassert>

#include <poplar/Vertex.hpp>

using namespace poplar;

#define FIELDS                                                         \
  Input<Vector<int>> in;                             /* 8 elements */  \
  Input<Vector<int, VectorLayout::ONE_PTR>> unsized; /* 4 elements */  \
  Input<Vector<int>> none;                           /* no elements */ \
  Vector<Input<Vector<int>>> rows;                   /* 2 of 3 */      \
  Output<Vector<int>> out;                           /* 4 elements */  \
  int n;

struct Fields : Vertex {
  FIELDS
};

struct Nothing : Fields {  // nothing wrong: everything is reached to its end
  bool compute() {
    std::array<int, 2> pair{1, 2};
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = in[2 * i + 1] + unsized[i] + rows[i & 1][i / 2 + 1] + pair[i & 1];
    assert(out.back() != 0 && none.empty());
    return true;
  }
};

struct BeyondInput : Fields {
  bool compute() {
    out[0] = in[n];  // planted: BeyondInput
    return true;
  }
};

struct BeyondOutput : Fields {
  bool compute() {
    for (unsigned i = 0; i <= out.size(); ++i) out[i] = i;  // planted: BeyondOutput
    return true;
  }
};

struct BeforeInput : Fields {
  bool compute() {
    int sum = 0;
    for (int i = n - 10; i >= -1; --i) sum += in[i];  // planted: BeforeInput
    out[0] = sum;
    return true;
  }
};

struct BeyondUnsized : Fields {
  bool compute() {
    out[0] = unsized[n];  // planted: BeyondUnsized
    return true;
  }
};

struct BeyondRow : Fields {
  bool compute() {
    out[0] = rows[1][n];  // planted: BeyondRow
    return true;
  }
};

struct BeyondList : Fields {
  bool compute() {
    out[0] = rows[n].size();  // planted: BeyondList
    return true;
  }
};

struct FrontOfNone : Fields {
  bool compute() {
    out[0] = none.front();  // planted: FrontOfNone
    return true;
  }
};

int at(const Input<Vector<int>>& values, int i) {
  return values[i];  // planted: InFunction
}

struct InFunction : Fields {
  bool compute() {
    out[0] = at(in, n);
    return true;
  }
};

struct BeyondArray : Fields {
  bool compute() {
    int kept[4] = {1, 2, 3, 4};
    out[0] = kept[n];  // planted: BeyondArray
    return true;
  }
};

struct BeyondStdArray : Fields {
  bool compute() {
    std::array<int, 4> kept{1, 2, 3, 4};
    out[0] = kept[n];  // planted: BeyondStdArray
    return true;
  }
};

struct Asserts : Fields {
  bool compute() {
    assert(n < 8 && "too far");  // planted: Asserts
    out[0] = n;
    return true;
  }
};

struct NullPointer : Fields {
  bool compute() {
    const int* p = n == 12 ? nullptr : &in[0];
    out[0] = *p;  // planted: NullPointer
    return true;
  }
};

struct Misaligned : Fields {
  bool compute() {
    const short* p = reinterpret_cast<const short*>(reinterpret_cast<const char*>(&in[1]) + n - 11);
    out[0] = *p;  // planted: Misaligned
    return true;
  }
};

struct DividesByZero : Fields {
  bool compute() {
    out[0] = n / (n - 12);  // planted: DividesByZero
    return true;
  }
};

int without_return(int n) {
  if (n != 12) return 1;  // planted: NoReturn
}

struct NoReturn : Fields {
  bool compute() {
    out[0] = without_return(n);
    return true;
  }
};

struct BadBool : Fields {
  bool compute() {
    out[1] = n;
    out[0] = *reinterpret_cast<const bool*>(&out[1]);  // planted: BadBool
    return true;
  }
};

struct OfSupervisor : SupervisorVertex {
  FIELDS
  bool compute() {
    out[0] = in[n];  // planted: OfSupervisor
    return true;
  }
};
