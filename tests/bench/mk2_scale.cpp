// The digits program compiled for all 1,472 tiles of mk2: time and memory; and trained there on the model: losses
// against those on 16 tiles.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>

#include "figure.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace {

constexpr unsigned kEpochs = 3, kTrain = 1440;

struct Run {
  double compile_seconds = 0;
  std::vector<float> losses;
};

Run train(const char* machine, const DataSet& data) {
  setenv("TESSERA_MACHINE", machine, 1);
  setenv("TESSERA_BACKEND", "model", 1);
  auto manager = poplar::DeviceManager::createDeviceManager();
  poplar::Device device = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
  if (!device.attach()) throw std::runtime_error("cannot attach");
  poplar::Graph graph(device.getTarget());
  const Network network =
      build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", kTrain / Network::kBatch, 1.0f);
  Run run;
  const auto start = std::chrono::steady_clock::now();
  poplar::Engine engine(graph, network.programs);
  run.compile_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  float loss = 0;
  auto* images = const_cast<float*>(data.train_images.data());
  auto* labels = const_cast<int*>(data.train_labels.data());
  engine.connectStream("images", images, images + data.train_images.size());
  engine.connectStream("labels", labels, labels + data.train_labels.size());
  engine.connectStream("loss", &loss, &loss + 1);
  engine.load(device);
  for (unsigned epoch = 0; epoch < kEpochs; ++epoch) {
    engine.run(Network::kTrainEpoch);
    run.losses.push_back(loss);
  }
  return run;
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  const DataSet data = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain);
  const Run large = train("mk2", data);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const Run small = train("mk2-16", data);
  double worst = 0;
  for (unsigned epoch = 0; epoch < kEpochs; ++epoch)
    worst = std::max(worst, std::fabs(static_cast<double>(large.losses[epoch] - small.losses[epoch]) /
                                      static_cast<double>(small.losses[epoch])));
  bool ok = print_figure("mk2-digits-compile", large.compile_seconds, "s", Goal::kAtMost, 30, {{"tiles", 1472}});
  ok &= print_figure("mk2-digits-compile-memory", static_cast<double>(usage.ru_maxrss) / 1048576.0, "GiB",
                     Goal::kAtMost, 2.0, {{"of", "the process that compiled and drove the run"}});
  ok &= print_figure("mk2-digits-loss-difference", worst, "relative", Goal::kAtMost, 1e-4, {{"epochs", kEpochs}});
  return ok ? 0 : 1;
}
