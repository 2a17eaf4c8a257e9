// Streams served by callbacks: the host makes each batch when the device asks for it, and looks at each result.
#ifdef __POPC__
#include <poplar/Vertex.hpp>

class Scale : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> data;
  float factor;

  bool compute() {
    for (auto& value : data) value = value * factor;
    return true;
  }
};

#else
#include <iostream>
#include <memory>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/StreamCallback.hpp>

#include "attach.h"

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kElements = 8;

class Source : public StreamCallback {
 public:
  Result prefetch(void*) noexcept override { return Result::NotAvailable; }
  void fetch(void* to) noexcept override {
    float* values = static_cast<float*>(to);
    for (unsigned i = 0; i < kElements; ++i) values[i] = static_cast<float>(batch_ * 10 + i);
    ++batch_;
  }
  void complete() noexcept override {}

 private:
  unsigned batch_ = 0;
};

int main() {
  Device device = attach_ipu();
  Graph graph(device.getTarget());
  graph.addCodelets(__FILE__);

  Tensor data = graph.addVariable(FLOAT, {kElements}, "data");
  ComputeSet scale = graph.addComputeSet("scale");
  for (unsigned tile = 0; tile < 2; ++tile) {
    Tensor half = data.slice(tile * kElements / 2, (tile + 1) * kElements / 2);
    graph.setTileMapping(half, tile);
    VertexRef vertex = graph.addVertex(scale, "Scale", {{"data", half}});
    graph.setInitialValue(vertex["factor"], 0.5f);
    graph.setTileMapping(vertex, tile);
  }
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, kElements);
  DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, kElements);
  Repeat program(3, Sequence({Copy(in, data), Execute(scale), Copy(data, out)}));

  Engine engine(graph, program);
  engine.connectStreamToCallback("in", std::unique_ptr<StreamCallback>(new Source));
  engine.connectStreamToCallback("out", [](void* from) {
    const float* values = static_cast<const float*>(from);
    std::cout << "batch:";
    for (unsigned i = 0; i < kElements; ++i) std::cout << " " << values[i];
    std::cout << "\n";
  });
  engine.load(device);
  engine.run();
}
#endif
