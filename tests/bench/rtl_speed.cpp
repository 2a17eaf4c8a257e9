// The demo: tile-cycles per second that the instanced RTL chip evaluates while it trains, as a ratio to the calibration
// core in the same run, best of six, in copies of the machine's program (program_copy.h); and what the training gives:
// equality of RTL and model after three epochs.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "figure.h"
#include "program_copy.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace {

constexpr unsigned kTrain = 1440;

// Cycles per second of the calibration core; 0 when it gives another result than everywhere else.
double calibrate() {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("cd " CALIBRATE_FOLDER " && ./obj_dir/Vcalibrate", "r"), pclose);
  std::array<char, 512> line{};
  if (!pipe || !std::fgets(line.data(), line.size(), pipe.get()))
    throw std::runtime_error("the calibration core does not run");
  const auto figure = nlohmann::json::parse(line.data());
  return figure["result"] == "e228842b" ? figure["value"].get<double>() : 0.0;
}

class Training {
 public:
  explicit Training(const char* backend)
      : data_(read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain)) {
    setenv("TESSERA_MACHINE", "mk2-16", 1);
    setenv("TESSERA_BACKEND", backend, 1);
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

  // Trains an epoch; evaluated tile-cycles per second of it.
  double epoch() {
    const auto before = tessera::machineCounters(device_);
    const auto start = std::chrono::steady_clock::now();
    engine_->run(Network::kTrainEpoch);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return static_cast<double>(tessera::machineCounters(device_).evaluated - before.evaluated) / seconds;
  }

  tessera::MachineCounters counters() const { return tessera::machineCounters(device_); }
  uint64_t hash() const { return tessera::memoryHash(device_); }

 private:
  DataSet data_;
  poplar::Device device_;
  std::unique_ptr<poplar::Engine> engine_;
  float loss_ = 0;
};

// Of another machine, whose program is a copy.
double epoch_of_copy() {
  const ProgramCopy copy(RTL_MACHINE);
  setenv("TESSERA_MACHINE_BIN", copy.path().c_str(), 1);
  Training training("rtl");
  unsetenv("TESSERA_MACHINE_BIN");
  return training.epoch();
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  Training rtl("rtl");
  Training model("model");
  double best_rtl = 0, best_model = 0, best_core = 0;
  for (int i = 0; i < 3; ++i) {
    best_core = std::max(best_core, calibrate());
    best_rtl = std::max({best_rtl, rtl.epoch(), epoch_of_copy()});
    best_model = std::max(best_model, model.epoch());
  }
  const auto counters = rtl.counters();
  bool ok = print_figure("rtl-speed", best_rtl / best_core, "of the calibration core", Goal::kAtLeast, 0.12,
                         {{"tile-cycles/s", best_rtl},
                          {"calibration cycles/s", best_core},
                          {"evaluated", counters.evaluated},
                          {"skipped", counters.skipped}});
  print_figure("model-speed", best_model / best_core, "of the calibration core", Goal::kAtLeast, 0,
               {{"tile-cycles/s", best_model}});
  const bool equal = rtl.hash() == model.hash() && counters.cycles == model.counters().cycles;
  ok &= print_figure("rtl-equals-model", equal, "memory hash and cycles after three epochs", Goal::kAtLeast, 1,
                     {{"cycles", counters.cycles}, {"supersteps", counters.supersteps}});
  return ok ? 0 : 1;
}
