// Matrix times vector, one row a vertex, checked against the host bit for bit.
#ifdef __POPC__
#include <poplar/Vertex.hpp>

class DotProduct : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<float>> a;
  poplar::Input<poplar::Vector<float>> b;
  poplar::Output<float> out;

  bool compute() {
    float sum = 0;
    for (unsigned i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    *out = sum;
    return true;
  }
};

#else
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <vector>

#include "attach.h"

using namespace poplar;
using namespace poplar::program;

int main() {
  constexpr unsigned kRows = 40, kColumns = 50;
  Device device = attach_ipu();
  Graph graph(device.getTarget());
  graph.addCodelets(__FILE__);
  const unsigned tiles = graph.getTarget().getNumTiles();

  Tensor matrix = graph.addVariable(FLOAT, {kRows, kColumns}, "matrix");
  Tensor input = graph.addVariable(FLOAT, {kColumns}, "input");
  Tensor output = graph.addVariable(FLOAT, {kRows}, "output");
  graph.setTileMapping(input, 0);
  ComputeSet multiply = graph.addComputeSet("multiply");
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned tile = row % tiles;
    graph.setTileMapping(matrix[row], tile);
    graph.setTileMapping(output[row], tile);
    VertexRef vertex =
        graph.addVertex(multiply, "DotProduct", {{"a", matrix[row]}, {"b", input}, {"out", output[row]}});
    graph.setTileMapping(vertex, tile);
  }
  DataStream matrix_in = graph.addHostToDeviceFIFO("matrix", FLOAT, matrix.numElements());
  DataStream input_in = graph.addHostToDeviceFIFO("input", FLOAT, input.numElements());
  DataStream output_out = graph.addDeviceToHostFIFO("output", FLOAT, output.numElements());
  Sequence program;
  program.add(Copy(matrix_in, matrix.flatten()));
  program.add(Copy(input_in, input));
  program.add(Execute(multiply));
  program.add(Copy(output, output_out));

  std::vector<float> h_matrix(kRows * kColumns), h_input(kColumns), h_output(kRows);
  for (unsigned i = 0; i < h_matrix.size(); ++i) h_matrix[i] = static_cast<float>(i % 17) / 7.0f - 1.0f;
  for (unsigned i = 0; i < kColumns; ++i) h_input[i] = static_cast<float>(i * i % 13) / 3.0f - 2.0f;
  Engine engine(graph, program);
  engine.connectStream("matrix", h_matrix.data(), h_matrix.data() + h_matrix.size());
  engine.connectStream("input", h_input.data(), h_input.data() + h_input.size());
  engine.connectStream("output", h_output.data(), h_output.data() + h_output.size());
  engine.load(device);
  engine.run();

  for (unsigned row = 0; row < kRows; ++row) {
    float sum = 0;
    for (unsigned i = 0; i < kColumns; ++i) {
      const float product = h_matrix[row * kColumns + i] * h_input[i];
      sum += product;
    }
    if (sum != h_output[row]) {
      std::cout << "row " << row << ": " << h_output[row] << " on the device, " << sum << " on the host\n";
      return 1;
    }
  }
  std::cout << "Multiplied a " << kRows << " x " << kColumns << " matrix by a vector\nSelf-check passed\n";
}
#endif
