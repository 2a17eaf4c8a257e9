// A Poplar program for the debugger's sessions: a codelet scales a vector on each tile, again and again. Runs ROUNDS
// times (argument 1), or until the file "stop" appears in $GDB_TEST_FOLDER. Loads so many seconds after it has attached
// (argument 2): a debugger may come before.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <thread>
#include <vector>

using namespace poplar;
using namespace poplar::program;

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  const char* folder = std::getenv("GDB_TEST_FOLDER");
  const bool alone = std::getenv("GDB_TEST_ALONE") != nullptr;
  DeviceManager manager;
  Device device;
  for (auto& one : manager.getDevices(TargetType::IPU, 1))
    if (one.attach()) {
      device = std::move(one);
      break;
    }
  Graph graph(device.getTarget());
  graph.addCodelets(POPLAR_CODELETS);
  constexpr unsigned kTiles = 4, kEach = 8;
  Tensor x = graph.addVariable(FLOAT, {kTiles * kEach}, "x");
  Sequence program;
  const ComputeSet scale = graph.addComputeSet("scale");
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const Tensor part = x.slice(tile * kEach, (tile + 1) * kEach);
    graph.setTileMapping(part, tile);
    const VertexRef vertex = graph.addVertex(scale, "Scale", {{"data", part}});
    graph.setInitialValue(vertex["factor"], 2.0f);
    graph.setTileMapping(vertex, tile);
  }
  graph.createHostWrite("x", x);
  graph.createHostRead("x", x);
  program.add(Execute(scale));
  // Of the endless one each run takes a while: where two processes wake each other without a pause, Linux 6.18 was seen
  // to leave others waiting for a busy processor, for 5 seconds and more.
  Engine engine(graph, {program, Repeat(1000, program)});
  if (argc > 2 && !alone) std::this_thread::sleep_for(std::chrono::seconds(std::atoi(argv[2])));
  engine.load(device);
  std::vector<float> values(kTiles * kEach, 1.0f);
  engine.writeTensor("x", values.data(), values.data() + values.size());
  if (rounds != 0) {
    for (int n = 0; n < rounds; ++n) engine.run(0);
    engine.readTensor("x", values.data(), values.data() + values.size());
    for (const float value : values) std::printf("%g ", value);
    std::printf("\n");
    return 0;
  }
  while (!alone && !std::filesystem::exists(std::string(folder) + "/stop")) engine.run(1);
  std::printf("done\n");
}
