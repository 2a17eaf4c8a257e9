// What the compute tiles do with a batch, and the counter of batches.
#include <poplar/Vertex.hpp>

// out = in, `rounds` times squared and reduced by a constant.
class Work : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<poplar::Vector<float>> out;
  unsigned rounds;

  bool compute() {
    for (unsigned i = 0; i < in.size(); ++i) {
      float x = in[i];
      for (unsigned r = 0; r < rounds; ++r) x = x * x - 0.5f;
      out[i] = x;
    }
    return true;
  }
};

// Which batch comes next, and which result has been made: rows of the remote buffers, of which the second has one more.
class Advance : public poplar::Vertex {
 public:
  poplar::InOut<unsigned> next, made;
  unsigned batches;

  bool compute() {
    *next = *next + 1 == batches ? 0 : *next + 1;
    *made = *made == batches ? 0 : *made + 1;
    return true;
  }
};
