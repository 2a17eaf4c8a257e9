// Looking inside changes nothing: a short digits training with waves, trace, a waiting debugger, snapshots, all of them
// and none, on model and RTL. Counted are runs whose loss, weights, chip cycles or superstep hashes are not those of
// the run without.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>
#include <vector>

#include "tests/bench/figure.h"
#include "tests/codelet/temporary_directory.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace {

constexpr unsigned kTrain = 480;

struct Outcome {
  float loss = 0;
  std::uint64_t cycles = 0, memory = 0;
  std::vector<std::array<std::uint64_t, 3>> supersteps;
  bool operator==(const Outcome&) const = default;
};

Outcome train(const char* backend, const std::string& inspect, DataSet data) {
  setenv("TESSERA_BACKEND", backend, 1);
  setenv("TESSERA_INSPECT", inspect.c_str(), 1);
  auto manager = poplar::DeviceManager::createDeviceManager();
  poplar::Device device = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
  if (!device.attach()) throw std::runtime_error("cannot attach");
  poplar::Graph graph(device.getTarget());
  const Network network =
      build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", kTrain / Network::kBatch, 1.0f);
  poplar::Engine engine(graph, network.programs);
  Outcome got;
  engine.connectStream("images", data.train_images.data(), data.train_images.data() + data.train_images.size());
  engine.connectStream("labels", data.train_labels.data(), data.train_labels.data() + data.train_labels.size());
  engine.connectStream("loss", &got.loss, &got.loss + 1);
  tessera::recordSupersteps(device, true);
  engine.load(device);
  engine.run(Network::kTrainEpoch);
  got.cycles = tessera::machineCounters(device).cycles;
  got.memory = tessera::memoryHash(device);
  for (const auto& s : tessera::takeSupersteps(device)) got.supersteps.push_back({s.index, s.cycle, s.hash});
  device.detach();
  return got;
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-4", 1);
  const TemporaryDirectory files;
  const std::string folder = files.path("");
  const std::string waves = "waves=" + std::string(folder) + "/w.fst;wave-tiles=0",
                    trace = "trace=" + std::string(folder) + "/t.trace", gdb = "gdb=0";
  const DataSet data = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain);
  unsigned differences = 0, runs = 0;
  std::uint64_t supersteps = 0;
  const Outcome plain = train("model", "snapshots=false", data);
  for (const char* backend : {"model", "rtl"})
    for (const std::string& inspect : {std::string("snapshots=false"), std::string("snapshot-every=5000"), waves, trace,
                                       gdb, waves + ";" + trace + ";" + gdb}) {
      const Outcome got = train(backend, inspect, data);
      differences += got != plain;
      supersteps += got.supersteps.size();
      ++runs;
    }
  print_figure("inside_determinism", differences, "runs with other results, cycles or superstep hashes", Goal::kAtMost,
               0, {{"runs", runs}, {"cycles", plain.cycles}, {"supersteps", supersteps}});
}
