// What it costs that the fabric of a run is RTL: the demo's training on mk2-16 with it and with the engine's, in turn,
// tile-cycles a second of the best of six epochs each, in copies of the machine's program (program_copy.h); and whether
// the two are the same run.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <string>
#include <tessera/machine.hpp>

#include "tests/bench/figure.h"
#include "tests/bench/program_copy.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace {

constexpr unsigned kTrain = 1440;
constexpr int kRounds = 6;

class Training {
 public:
  explicit Training(const char* fabric)
      : copy_(RTL_MACHINE), data_(read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain)) {
    setenv("TESSERA_FABRIC", fabric, 1);
    setenv("TESSERA_MACHINE_BIN", copy_.path().c_str(), 1);
    auto manager = poplar::DeviceManager::createDeviceManager();
    device_ = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
    if (!device_.attach()) throw std::runtime_error("cannot attach");
    poplar::Graph graph(device_.getTarget());
    const Network network =
        build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", kTrain / Network::kBatch, 1.0f);
    engine_ = std::make_unique<poplar::Engine>(graph, network.programs);
    engine_->connectStream("images", data_.train_images.data(), data_.train_images.data() + data_.train_images.size());
    engine_->connectStream("labels", data_.train_labels.data(), data_.train_labels.data() + data_.train_labels.size());
    engine_->connectStream("loss", &loss_, &loss_ + 1);
    engine_->load(device_);
  }

  // Trains an epoch; evaluated tile-cycles a second of it.
  double epoch() {
    const auto before = tessera::machineCounters(device_);
    const auto start = std::chrono::steady_clock::now();
    engine_->run(Network::kTrainEpoch);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return static_cast<double>(tessera::machineCounters(device_).evaluated - before.evaluated) / seconds;
  }
  uint64_t cycles() const { return tessera::machineCounters(device_).cycles; }
  uint64_t hash() const { return tessera::memoryHash(device_); }

 private:
  ProgramCopy copy_;
  DataSet data_;
  poplar::Device device_;
  std::unique_ptr<poplar::Engine> engine_;
  float loss_ = 0;
};

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-16", 1);
  setenv("TESSERA_BACKEND", "rtl", 1);
  double best[2] = {0, 0};
  bool equal = true;
  for (int i = 0; i < kRounds; ++i) {
    uint64_t cycles[2], hashes[2];
    for (const int n : {0, 1}) {  // one at a time: copies of a process share a name
      Training training(n == 0 ? "rtl" : "engine");
      best[n] = std::max(best[n], training.epoch());
      cycles[n] = training.cycles();
      hashes[n] = training.hash();
    }
    equal &= cycles[0] == cycles[1] && hashes[0] == hashes[1];
  }
  bool ok = print_figure("fabric-speed", best[0] / best[1], "of the speed with the engine's fabric", Goal::kAtLeast,
                         0.8, {{"tile-cycles/s", best[0]}, {"with the engine's", best[1]}});
  ok &= print_figure("fabric-equal", equal, "memory hash and cycles of the demo's epoch", Goal::kAtLeast, 1, {});
  return ok ? 0 : 1;
}
