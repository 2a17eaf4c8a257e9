// A Poplar program on two chips for the debugger's sessions: a codelet scales a vector on each tile of the first chip,
// its values go over the links and are scaled on the second, and come back, twice.
#include <cstdio>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <vector>

using namespace poplar;
using namespace poplar::program;

int main() {
  DeviceManager manager;
  Device device;
  for (auto& one : manager.getDevices(TargetType::IPU, 2))
    if (one.attach()) {
      device = std::move(one);
      break;
    }
  Graph graph(device.getTarget());
  graph.addCodelets(POPLAR_CODELETS);
  constexpr unsigned kTiles = 4, kEach = 8;
  Tensor near = graph.addVariable(FLOAT, {kTiles * kEach}, "near");
  Tensor far = graph.addVariable(FLOAT, {kTiles * kEach}, "far");
  const auto scale = [&](const Tensor& x, unsigned first_tile, const char* name) {
    const ComputeSet set = graph.addComputeSet(name);
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      const Tensor part = x.slice(tile * kEach, (tile + 1) * kEach);
      graph.setTileMapping(part, first_tile + tile);
      const VertexRef vertex = graph.addVertex(set, "Scale", {{"data", part}});
      graph.setInitialValue(vertex["factor"], first_tile == 0 ? 2.0f : 3.0f);
      graph.setTileMapping(vertex, first_tile + tile);
    }
    return Execute(set);
  };
  const unsigned second = graph.getTarget().getTilesPerIPU();
  const Execute here = scale(near, 0, "here"), there = scale(far, second, "there");
  graph.createHostWrite("near", near);
  graph.createHostRead("near", near);
  Engine engine(graph, Repeat(2, Sequence({here, Copy(near, far), there, Copy(far, near)})));
  engine.load(device);
  std::vector<float> values(kTiles * kEach);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  engine.writeTensor("near", values.data(), values.data() + values.size());
  engine.run(0);
  engine.readTensor("near", values.data(), values.data() + values.size());
  for (const float value : values) std::printf("%g ", value);
  std::printf("\n");
}
