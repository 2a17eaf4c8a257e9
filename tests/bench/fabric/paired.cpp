// A broadcast of 64 KiB to all tiles of mk2-64 in paired transfers, on RTL: bytes that each receiving tile gets in a
// cycle of the exchange phase; whether every word arrived; and whether the model's run is the same. Beside it the same
// without pairs.
#include <cstdlib>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "tests/bench/figure.h"

namespace {

constexpr std::size_t kWords = 16384;

struct Run {
  tessera::MachineCounters counters;
  std::uint64_t hash;
  bool arrived;
  double bytes_a_cycle() const { return 4.0 * kWords / static_cast<double>(counters.exchange); }
};

Run broadcast(const char* backend, const char* paired) {
  using namespace poplar;
  setenv("TESSERA_BACKEND", backend, 1);
  auto manager = DeviceManager::createDeviceManager();
  Device device = std::move(manager.getDevices(TargetType::IPU, 1).front());
  if (!device.attach()) throw std::runtime_error("cannot attach");
  Graph graph(device.getTarget());
  const std::size_t tiles = device.getTarget().getNumTiles();
  const Tensor from = graph.addVariable(INT, {kWords}, "from"), to = graph.addVariable(INT, {tiles, kWords}, "to");
  graph.setTileMapping(from, 0);
  for (unsigned tile = 0; tile < tiles; ++tile) graph.setTileMapping(to[tile], tile);
  std::vector<int> values(kWords);
  std::iota(values.begin(), values.end(), 1);
  graph.setInitialValue<int>(from, values);
  graph.createHostRead("to", to);
  Engine engine(graph, program::Copy(from.expand({0}).broadcast(static_cast<unsigned>(tiles), 0), to),
                {{"tessera.pairTransfers", paired}});
  engine.load(device);
  const auto before = tessera::machineCounters(device);
  engine.run();
  Run run{tessera::machineCounters(device), tessera::memoryHash(device), true};
  run.counters.exchange -= before.exchange;
  std::vector<int> read(tiles * kWords);
  engine.readTensor("to", read.data(), read.data() + read.size());
  for (std::size_t i = 0; i < read.size(); ++i) run.arrived &= read[i] == values[i % kWords];
  return run;
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-64", 1);
  const Run rtl = broadcast("rtl", "true"), model = broadcast("model", "true"), single = broadcast("model", "false");
  bool ok = print_figure("paired-broadcast", rtl.bytes_a_cycle(), "bytes a cycle and receiving tile", Goal::kAtLeast,
                         7.5, {{"exchange cycles", rtl.counters.exchange}, {"without pairs", single.bytes_a_cycle()}});
  const bool equal =
      rtl.arrived && model.arrived && rtl.hash == model.hash && rtl.counters.cycles == model.counters.cycles;
  ok &= print_figure("paired-broadcast-equal", equal, "words, memory hash and cycles of RTL and model", Goal::kAtLeast,
                     1, {{"cycles", rtl.counters.cycles}});
  return ok ? 0 : 1;
}
