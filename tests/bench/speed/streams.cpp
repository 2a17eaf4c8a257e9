// Streams of 8 MB from and to the host: megabytes a second of wall time, the best of some runs, and whether what comes
// back is what went in. With a machine and a backend it measures these alone.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <string>
#include <tessera/machine.hpp>
#include <vector>

#include "tests/bench/figure.h"

namespace {

constexpr size_t kBytes = 8'000'000, kMostOfTile = 128'000;
constexpr unsigned kRuns = 3;

double megabytes_a_second(poplar::Engine& engine, unsigned program, size_t bytes) {
  double best = 0;
  for (unsigned n = 0; n < kRuns; ++n) {
    const auto start = std::chrono::steady_clock::now();
    engine.run(program);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 1e-6 * static_cast<double>(bytes) / seconds);
  }
  return best;
}

bool figures(const char* machine, const char* backend, double goal) {
  setenv("TESSERA_MACHINE", machine, 1);
  setenv("TESSERA_BACKEND", backend, 1);
  auto manager = poplar::DeviceManager::createDeviceManager();
  poplar::Device device = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
  if (!device.attach()) throw std::runtime_error("cannot attach");
  poplar::Graph graph(device.getTarget());
  const unsigned tiles = device.getTarget().getNumTiles();
  const size_t words = std::min(kBytes, tiles * kMostOfTile) / 4 / tiles * tiles;
  const auto repeats = static_cast<unsigned>((kBytes / 4 + words - 1) / words);
  poplar::Tensor data = graph.addVariable(poplar::UNSIGNED_INT, {words}, "data");
  for (unsigned tile = 0; tile < tiles; ++tile)
    graph.setTileMapping(data.slice(words / tiles * tile, words / tiles * (tile + 1)), tile);
  const auto in = graph.addHostToDeviceFIFO("in", poplar::UNSIGNED_INT, words);
  const auto out = graph.addDeviceToHostFIFO("out", poplar::UNSIGNED_INT, words);
  poplar::Engine engine(graph, {poplar::program::Repeat(repeats, poplar::program::Copy(in, data)),
                                poplar::program::Repeat(repeats, poplar::program::Copy(data, out))});
  std::vector<uint32_t> sent(words), got(words);
  for (size_t i = 0; i < words; ++i) sent[i] = static_cast<uint32_t>(i * 2654435761u);
  engine.connectStream("in", sent.data(), sent.data() + words);
  engine.connectStream("out", got.data(), got.data() + words);
  engine.load(device);
  const size_t bytes = 4 * words * repeats;
  const double there = megabytes_a_second(engine, 0, bytes), back = megabytes_a_second(engine, 1, bytes);
  const std::string name = std::string(backend) + "-" + machine;
  const auto cycles = tessera::machineCounters(device).cycles;
  const auto print = [&](const char* which, double value) {
    return print_figure(which + name, value, "MB/s", Goal::kAtLeast, goal, {{"bytes", bytes}, {"cycles", cycles}});
  };
  bool ok = print("streams-to-", there);
  ok &= print("streams-from-", back);
  if (got != sent) throw std::runtime_error(name + ": what came back is not what went in");
  return ok;
}

}  // namespace

int main(int argc, char** argv) try {
  setenv("TESSERA_QUIET", "1", 1);
  if (argc == 3) return figures(argv[1], argv[2], 0) ? 0 : 1;
  bool ok = true;
  for (const char* machine : {"mk2-4", "mk2-16", "mk2-64", "mk2"}) ok &= figures(machine, "model", 50);
  ok &= figures("mk2", "rtl", 1);
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_speed_streams: " << error.what() << "\n";
  return 1;
}
