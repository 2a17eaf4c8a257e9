// A small program on a device of what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles): out = factor * in, in streamed
// from the host, out streamed back.
#pragma once

#include <unistd.h>

#include <fstream>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::test {

using namespace poplar;
using namespace poplar::program;

inline Device attach() {
  const auto manager = DeviceManager::createDeviceManager();
  for (Device& device : manager.getDevices(TargetType::IPU, 1))
    if (device.attach()) return std::move(device);
  throw std::runtime_error("no IPU is free");
}

constexpr unsigned kTiles = 4, kElements = 10;

struct Scaling {
  explicit Scaling(const Target& target, float factor, const OptionFlags& options = {})
      : engine(build(target, factor), options) {}

  static Executable build(const Target& target, float factor) {
    Graph graph(target);
    graph.addCodelets(ENGINE_CODELETS);
    Tensor in = graph.addVariable(FLOAT, {kElements}, "in"), out = graph.addVariable(FLOAT, {kElements}, "out");
    for (unsigned i = 0; i < kElements; ++i) {
      graph.setTileMapping(in[i], i % kTiles);
      graph.setTileMapping(out[i], (i + 1) % kTiles);
    }
    ComputeSet set = graph.addComputeSet("scale");
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      const Tensor part_in = in.slice(tile * 2, tile * 2 + 3), part_out = out.slice(tile * 2, tile * 2 + 2);
      VertexRef v = graph.addVertex(set, "Scale", {{"in", part_in}, {"out", part_out}});
      graph.setInitialValue(v["factor"], factor);
      graph.setTileMapping(v, tile);
    }
    DataStream to = graph.addHostToDeviceFIFO("to", FLOAT, kElements);
    DataStream from = graph.addDeviceToHostFIFO("from", FLOAT, kElements);
    graph.createHostWrite("out-write", out);
    graph.createHostRead("out-read", out);
    return compileGraph(graph, {Sequence({Copy(to, in), Execute(set), Copy(out, from)}), Copy(to, in)});
  }

  std::vector<float> run(std::vector<float> values) {
    std::vector<float> result(kElements);
    engine.connectStream("to", values.data(), values.data() + values.size());
    engine.connectStream("from", result.data(), result.data() + result.size());
    engine.run(0);
    return result;
  }
  Engine engine;
};

inline std::vector<float> count(float first) {
  std::vector<float> values(kElements);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// Elements 8 and 9 of `out` have no vertex and stay 0.
inline std::vector<float> scaled(float first, float factor) {
  std::vector<float> values = count(first);
  for (unsigned i = 0; i < kElements; ++i) values[i] = i < 8 ? values[i] * factor : 0;
  return values;
}

// Processes whose parent is this one and which are machines.
inline std::set<pid_t> machines() {
  std::set<pid_t> found;
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (pid_t pid; children >> pid;) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
    if (name.rfind("tessera-machine", 0) == 0) found.insert(pid);
  }
  return found;
}

}  // namespace tessera::test
