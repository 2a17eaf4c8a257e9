// A Poplar program whose vertices have fields of every kind, with known contents; argument 1: flags of its codelet.
#include <cstdio>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

int main(int argc, char** argv) {
  DeviceManager manager;
  Device device;
  for (auto& one : manager.getDevices(TargetType::IPU, 1))
    if (one.attach()) {
      device = std::move(one);
      break;
    }
  Graph graph(device.getTarget());
  graph.addCodelets(POPLAR_CODELETS, CodeletFileType::Auto, argc > 1 ? argv[1] : "");
  constexpr unsigned kTiles = 4, kEach = 8;
  const Tensor weights = graph.addVariable(FLOAT, {kTiles * kEach}, "weights");
  const Tensor halves = graph.addVariable(HALF, {kTiles, 4}, "layer/halves");
  const Tensor results = graph.addVariable(INT, {kTiles, kEach}, "results");
  const Tensor counts = graph.addVariable(UNSIGNED_INT, {kTiles}, "counts");
  const ComputeSet set = graph.addComputeSet("set");
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const Tensor mine = weights.slice(tile * kEach, (tile + 1) * kEach);
    graph.setTileMapping(mine, tile);
    graph.setTileMapping(halves[tile], tile);
    graph.setTileMapping(results[tile], tile);
    graph.setTileMapping(counts[tile], tile);
    const VertexRef vertex = graph.addVertex(
        set, "Fields",
        {{"u", mine}, {"h", halves[tile]}, {"p", results[tile]}, {"one", mine[1]}, {"count", counts[tile]}});
    graph.connect(vertex["rows"], std::vector<Tensor>{mine.slice(0, 2), mine.slice(2, 5)});
    const std::vector<unsigned> table = {10, 20, 30, 40};
    graph.setInitialValue(vertex["table"], ArrayRef<unsigned>(table));
    graph.setInitialValue(vertex["factor"], 2.0f);
    graph.setTileMapping(vertex, tile);
  }
  graph.createHostWrite("weights", weights);
  graph.createHostWrite("halves", halves);
  graph.createHostWrite("counts", counts);
  graph.createHostRead("results", results);
  Engine engine(graph, Sequence(Execute(set), Execute(set)));
  engine.load(device);
  std::vector<float> values(kTiles * kEach);
  std::iota(values.begin(), values.end(), 0.5f);
  engine.writeTensor("weights", values.data(), values.data() + values.size());
  const std::vector<uint16_t> ones(kTiles * 4, 0x3c00);  // 1 as half
  engine.writeTensor("halves", ones.data(), ones.data() + ones.size());
  const std::vector<unsigned> zeros(kTiles, 0);
  engine.writeTensor("counts", zeros.data(), zeros.data() + zeros.size());
  engine.run(0);
  std::vector<int> read(kTiles * kEach);
  engine.readTensor("results", read.data(), read.data() + read.size());
  for (const int value : read) std::printf("%d ", value);
  std::printf("\n");
}
