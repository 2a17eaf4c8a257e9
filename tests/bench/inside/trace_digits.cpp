#include "trace_digits.h"

#include <sys/resource.h>

#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <stdexcept>
#include <tessera/machine.hpp>

#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace trace_bench {
namespace {

double children_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

Run train(const std::string& backend, const std::string& machine, unsigned digits, unsigned epochs,
          const std::string& trace) {
  setenv("TESSERA_BACKEND", backend.c_str(), 1);
  setenv("TESSERA_MACHINE", machine.c_str(), 1);
  setenv("TESSERA_INSPECT", trace.empty() ? "" : ("trace=" + trace).c_str(), 1);
  DataSet data = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", digits);
  auto manager = poplar::DeviceManager::createDeviceManager();
  poplar::Device device = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
  const double before = children_seconds();
  if (!device.attach()) throw std::runtime_error("cannot attach " + machine);
  Run run;
  {
    poplar::Graph graph(device.getTarget());
    const Network network =
        build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", digits / Network::kBatch, 1.0f);
    poplar::Engine engine(graph, network.programs);
    float loss = 0;
    engine.connectStream("images", data.train_images.data(), data.train_images.data() + data.train_images.size());
    engine.connectStream("labels", data.train_labels.data(), data.train_labels.data() + data.train_labels.size());
    engine.connectStream("loss", &loss, &loss + 1);
    engine.load(device);
    for (unsigned epoch = 0; epoch < epochs; ++epoch) engine.run(Network::kTrainEpoch);
    const auto c = tessera::machineCounters(device);
    run = {0, c.cycles, c.compute, c.sync, c.exchange, c.transfer, c.host, c.supersteps};
  }
  device.detach();
  run.seconds = children_seconds() - before;
  return run;
}

}  // namespace trace_bench
