// Fields of every kind, for the debugger's session: what they hold is known.
#include <ipudef.h>
#include <poplar/Vertex.hpp>

using namespace poplar;

class Fields : public Vertex {
 public:
  Input<Vector<float>> u;
  InOut<Vector<half>> h;
  Output<Vector<int, VectorLayout::ONE_PTR>> p;
  Vector<Input<Vector<float>>> rows;
  Input<float> one;
  InOut<unsigned> count;
  Vector<unsigned> table;
  float factor;

  bool compute() {
    float2 pair = {u[0], factor};
    half4 four = {h[0], h[1], h[2], h[3]};
    four = four + four;
    for (unsigned i = 0; i < u.size(); ++i) {
      p[i] = static_cast<int>(u[i] * factor) + static_cast<int>(table[i % 4]);
      *count += 1;
    }
    h[0] = static_cast<half>(pair.get(0) + static_cast<float>(four.get(1)) + rows[1][0] + one);
    return true;
  }
};
