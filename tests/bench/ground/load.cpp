// How long it takes until a program of 100 KiB a tile is on all tiles of mk2 and they wait for the host: Engine::load
// from the compiled executable, through the machine's process and the card's registers, into the model's memories.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "tests/bench/figure.h"

namespace {

constexpr unsigned kBytesPerTile = 100 << 10;

double seconds_of_load(poplar::Engine& engine, const poplar::Device& device) {
  const auto begin = std::chrono::steady_clock::now();
  engine.load(device);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2", 1);
  setenv("TESSERA_BACKEND", "model", 1);
  auto manager = poplar::DeviceManager::createDeviceManager();
  poplar::Device device = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
  if (!device.attach()) return 2;

  poplar::Graph graph(device.getTarget());
  const unsigned tiles = device.getTarget().getNumTiles(), words = kBytesPerTile / 4;
  std::vector<unsigned> values(std::size_t{tiles} * words);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<unsigned>(i * 2654435761u | 1);  // none is zero
  const auto data = graph.addVariable(poplar::UNSIGNED_INT, {tiles, words}, "data");
  for (unsigned tile = 0; tile < tiles; ++tile) graph.setTileMapping(data[tile], tile);
  graph.setInitialValue(data, poplar::ArrayRef<unsigned>(values.data(), values.size()));
  graph.createHostRead("data", data[tiles - 1]);
  poplar::Engine engine(graph, poplar::program::Sequence());

  const double first = seconds_of_load(engine, device);
  const auto cycles = tessera::machineCounters(device).cycles;
  const double again = seconds_of_load(engine, device);  // the chip has run: it is reset first
  std::vector<unsigned> last(words);
  engine.readTensor("data", last.data(), last.data() + last.size());
  if (!std::equal(last.begin(), last.end(), values.end() - words)) return 2;
  return print_figure("ground_load_mk2", std::max(first, again), "s", Goal::kAtMost, 1.0,
                      {{"first", first},
                       {"again", again},
                       {"bytes", values.size() * 4},
                       {"chip_cycles", cycles},
                       {"backend", "model"}})
             ? 0
             : 1;
}
