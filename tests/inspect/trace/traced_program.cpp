#include "traced_program.h"

#include <cstdlib>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <stdexcept>
#include <tessera/machine.hpp>
#include <vector>

namespace trace_test {
namespace {

using namespace poplar;
using namespace poplar::program;

Device attach(const std::string& backend) {
  ::setenv("TESSERA_BACKEND", backend.c_str(), 1);
  ::setenv("TESSERA_MACHINE", "mk2-4", 1);
  auto manager = DeviceManager::createDeviceManager();
  for (auto& device : manager.getDevices(TargetType::IPU, 1))
    if (device.attach()) return std::move(device);
  throw std::runtime_error("no IPU is free");
}

Executable build(const Target& target, float factor, const std::string& flags) {
  Graph graph(target);
  graph.addCodelets(TRACE_CODELETS, CodeletFileType::Auto, flags);
  Tensor in = graph.addVariable(FLOAT, {kElements}, "in"), scaled = graph.addVariable(FLOAT, {kElements}, "scaled");
  Tensor totals = graph.addVariable(FLOAT, {kTiles}, "totals");
  ComputeSet scale = graph.addComputeSet("scale"), sum = graph.addComputeSet("sum");
  const unsigned part = kElements / kTiles;
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const unsigned first = tile * part, end = first + part;
    graph.setTileMapping(in.slice(first, end), tile);
    graph.setTileMapping(scaled.slice(first, end), (tile + 1) % kTiles);
    graph.setTileMapping(totals[tile], tile);
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned from = first + half * part / 2, to = from + part / 2;
      VertexRef v = graph.addVertex(scale, "Scale", {{"in", in.slice(from, to)}, {"out", scaled.slice(from, to)}});
      graph.setInitialValue(v["factor"], factor);
      graph.setTileMapping(v, tile);
    }
    VertexRef v = graph.addVertex(sum, "Sum", {{"in", scaled.slice(first, end)}, {"total", totals[tile]}});
    graph.setTileMapping(v, tile);
  }
  DataStream to = graph.addHostToDeviceFIFO("to", FLOAT, kElements);
  DataStream from = graph.addDeviceToHostFIFO("from", FLOAT, kTiles);
  return compileGraph(
      graph, {Sequence({Repeat(kTurns, Sequence({Copy(to, in), Execute(scale), Execute(sum)})), Copy(totals, from)})});
}

}  // namespace

Counters run_traced(const std::string& backend, const std::string& path, float factor, const std::string& more,
                    const std::string& flags) {
  ::setenv("TESSERA_INSPECT", ("trace=" + path + more).c_str(), 1);
  Device device = attach(backend);
  Engine engine(build(device.getTarget(), factor, flags));
  engine.load(device);
  std::vector<float> values(kElements, 1.5f), totals(kTiles);
  engine.connectStream("to", values.data(), values.data() + values.size());
  engine.connectStream("from", totals.data(), totals.data() + totals.size());
  engine.run(0);
  const tessera::MachineCounters c = tessera::machineCounters(device);
  tessera::finishFiles(device);
  device.detach();
  return {c.cycles,   c.compute, c.sync,       c.exchange,
          c.transfer, c.host,    c.supersteps, std::accumulate(totals.begin(), totals.end(), 0.0)};
}

}  // namespace trace_test
