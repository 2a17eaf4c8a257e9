// Variables, constants, views and copies: what a tensor is, and how data comes in and out.
#include <cstdint>
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <vector>

#include "attach.h"

using namespace poplar;
using namespace poplar::program;

int main() {
  Device device = attach_ipu();
  Graph graph(device.getTarget());

  // One element of v1 on each of four tiles.
  Tensor v1 = graph.addVariable(FLOAT, {4}, "v1");
  for (unsigned i = 0; i < 4; ++i) graph.setTileMapping(v1[i], i);
  Tensor c1 = graph.addConstant<float>(FLOAT, {4}, {1.0f, 1.5f, 2.0f, 2.5f});
  graph.setTileMapping(c1, 0);

  Sequence program;
  program.add(Copy(c1, v1));
  program.add(PrintTensor("v1-debug", v1));

  // A handle writes into v3, and a view of its middle goes to another variable.
  Tensor v3 = graph.addVariable(FLOAT, {4, 4}, "v3");
  graph.setTileMapping(v3, 1);
  graph.createHostWrite("v3-write", v3);
  Tensor v2 = graph.addVariable(FLOAT, {2, 2}, "v2");
  graph.setTileMapping(v2, 2);
  program.add(Copy(v3.slice({1, 1}, {3, 3}), v2));
  program.add(PrintTensor("v2-debug", v2));
  // The transposed view shares the elements of v2.
  program.add(PrintTensor("v2-transposed", v2.transpose()));
  graph.createHostRead("v1-read", v1);

  // A stream brings ten integers at a time.
  Tensor v4 = graph.addVariable(INT, {10}, "v4");
  graph.setTileMapping(v4, 3);
  DataStream in = graph.addHostToDeviceFIFO("v4-input", INT, 10);
  program.add(Copy(in, v4));
  program.add(PrintTensor("v4-0", v4));
  program.add(Copy(in, v4));
  program.add(PrintTensor("v4-1", v4));

  Engine engine(graph, program);
  engine.setPrintTensorStream(std::cout);
  engine.load(device);

  std::vector<float> h3(16);
  for (unsigned i = 0; i < 16; ++i) h3[i] = static_cast<float>(i);
  engine.writeTensor("v3-write", h3.data(), h3.data() + h3.size());
  std::vector<int32_t> integers(20);
  for (unsigned i = 0; i < 20; ++i) integers[i] = static_cast<int32_t>(i);
  engine.connectStream("v4-input", integers.data(), integers.data() + integers.size());
  engine.run(0);

  std::vector<float> h1(4);
  engine.readTensor("v1-read", h1.data(), h1.data() + h1.size());
  std::cout << "v1 at the host:";
  for (float value : h1) std::cout << " " << value;
  std::cout << "\n";
}
