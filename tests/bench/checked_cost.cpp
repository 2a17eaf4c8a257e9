// What a checked run of the digits program costs: cycles of codelets with checks, wall time of watched
// memory, each against the plain run on the model.
#include <chrono>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "figure.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace {

constexpr unsigned kTrain = 960;
const std::string kCodelets = std::string(DIGITS_FOLDER) + "/codelets.cpp";

struct Run {
  double cycles = 0, seconds = 0, loss = 0;
};

// check: compiled in; watch: memory.
Run train(bool check, bool watch, const DataSet& data) {
  setenv("TESSERA_CHECK", check ? "1" : "0", 1);
  setenv("TESSERA_INSPECT", watch ? "check=true" : "check=false", 1);
  auto manager = poplar::DeviceManager::createDeviceManager();
  poplar::Device device = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
  if (!device.attach()) throw std::runtime_error("cannot attach");
  poplar::Graph graph(device.getTarget());
  const Network network = build_network(graph, kCodelets, kTrain / Network::kBatch, 1.0f);
  poplar::Engine engine(graph, network.programs);
  float loss = 0;
  auto* images = const_cast<float*>(data.train_images.data());
  auto* labels = const_cast<int*>(data.train_labels.data());
  engine.connectStream("images", images, images + data.train_images.size());
  engine.connectStream("labels", labels, labels + data.train_labels.size());
  engine.connectStream("loss", &loss, &loss + 1);
  engine.load(device);
  const double before = static_cast<double>(tessera::machineCounters(device).cycles);
  const auto start = std::chrono::steady_clock::now();
  engine.run(Network::kTrainEpoch);
  Run run;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.cycles = static_cast<double>(tessera::machineCounters(device).cycles) - before;
  run.loss = loss;
  return run;
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-16", 1);
  setenv("TESSERA_BACKEND", "model", 1);
  const DataSet data = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain);
  const Run plain = train(false, false, data), watched = train(false, true, data), checked = train(true, false, data);
  bool ok = print_figure("checked-digits-cycles", checked.cycles / plain.cycles, "of the plain run's", Goal::kAtMost, 4,
                         {{"plain", plain.cycles}, {"same_loss", checked.loss == plain.loss}});
  ok &= print_figure("watched-digits-cycles", watched.cycles / plain.cycles, "of the plain run's", Goal::kAtMost, 1);
  ok &= print_figure("watched-digits-seconds", watched.seconds / plain.seconds, "of the plain run's", Goal::kAtMost, 30,
                     {{"plain", plain.seconds}});
  return ok && checked.loss == plain.loss ? 0 : 1;
}
