// Vertices on four tiles: each sums what lies from its element to the end. Host program and codelet stand in one file.
#ifdef __POPC__
#include <poplar/Vertex.hpp>

class SumVertex : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<float> out;

  bool compute() {
    *out = 0;
    for (const auto& value : in) *out += value;
    return true;
  }
};

#else
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>

#include "attach.h"

using namespace poplar;
using namespace poplar::program;

int main() {
  Device device = attach_ipu();
  Graph graph(device.getTarget());
  graph.addCodelets(__FILE__);

  Tensor v1 = graph.addVariable(FLOAT, {4}, "v1");
  Tensor v2 = graph.addVariable(FLOAT, {4}, "v2");
  Tensor c1 = graph.addConstant<float>(FLOAT, {4}, {1.0f, 1.5f, 2.0f, 2.5f});
  graph.setTileMapping(c1, 0);
  for (unsigned i = 0; i < 4; ++i) {
    graph.setTileMapping(v1[i], i);
    graph.setTileMapping(v2[i], i);
  }

  ComputeSet sums = graph.addComputeSet("sums");
  for (unsigned i = 0; i < 4; ++i) {
    VertexRef vertex = graph.addVertex(sums, "SumVertex");
    graph.connect(vertex["in"], v1.slice(i, 4));
    graph.connect(vertex["out"], v2[i]);
    graph.setTileMapping(vertex, i);
  }

  Sequence program;
  program.add(Copy(c1, v1));
  program.add(Execute(sums));
  program.add(PrintTensor("v2", v2));

  Engine engine(graph, program);
  engine.setPrintTensorStream(std::cout);
  engine.load(device);
  engine.run();
}
#endif
