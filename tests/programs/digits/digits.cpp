// Trains softmax regression on handwritten digits with Poplar, on the fast model or on the RTL, and says what it saw.
//
//   digits [--on model|rtl] [--machine NAME] [--epochs N] [--result FILE] [--against FILE] [--waves FILE]
//
// --result writes weights, cycles and memory hashes; --against compares with such a file and fails when anything
// differs.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "data_set.h"
#include "network.h"
#include "result.h"

namespace {

// Supersteps of the waves: an update of the weights and the errors after it.
constexpr unsigned kFirstWave = 3, kWaves = 2;

struct Arguments {
  std::string on = "model", machine = "mk2-16", result, against, waves;
  std::string folder = DIGITS_FOLDER;
  unsigned epochs = 8, train = 1440;
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (i + 1 == argc) throw std::runtime_error("digits: " + key + " needs a value");
    const std::string value = argv[++i];
    if (key == "--on") {
      a.on = value;
    } else if (key == "--machine") {
      a.machine = value;
    } else if (key == "--epochs") {
      a.epochs = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    } else if (key == "--train") {
      a.train = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    } else if (key == "--result") {
      a.result = value;
    } else if (key == "--against") {
      a.against = value;
    } else if (key == "--waves") {
      a.waves = value;
    } else {
      throw std::runtime_error("digits: unknown option " + key);
    }
  }
  if (a.on != "model" && a.on != "rtl") throw std::runtime_error("digits: --on is model or rtl, not " + a.on);
  if (a.epochs == 0) throw std::runtime_error("digits: --epochs must be at least 1");
  if (a.train == 0 || a.train % Network::kBatch != 0)
    throw std::runtime_error("digits: --train must be a multiple of " + std::to_string(Network::kBatch));
  return a;
}

poplar::Device attach() {
  auto manager = poplar::DeviceManager::createDeviceManager();
  for (auto& device : manager.getDevices(poplar::TargetType::IPU, 1))
    if (device.attach()) return std::move(device);
  throw std::runtime_error("digits: no IPU is free");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Fraction of held-out digits whose largest score is their label.
double held_out_accuracy(poplar::Engine& engine, const DataSet& data) {
  constexpr unsigned kBatch = Network::kBatch, kPixels = Network::kPixels;
  const size_t samples = data.test_labels.size();
  const size_t batches = (samples + kBatch - 1) / kBatch;
  std::vector<float> images(data.test_images);
  images.resize(batches * kBatch * kPixels, 0.0f);
  std::vector<int> classes(batches * kBatch);
  engine.connectStream("images", images.data(), images.data() + images.size());
  engine.connectStream("classes", classes.data(), classes.data() + classes.size());
  for (size_t b = 0; b < batches; ++b) engine.run(Network::kClassifyBatch);
  size_t right = 0;
  for (size_t n = 0; n < samples; ++n) right += classes[n] == data.test_labels[n];
  return static_cast<double>(right) / static_cast<double>(samples);
}

void print_cycles(const tessera::MachineCounters& c, double seconds) {
  const auto share = [&](uint64_t n) { return 100.0 * static_cast<double>(n) / static_cast<double>(c.cycles); };
  std::printf("chip cycles %llu: compute %.1f %%, sync %.1f %%, exchange %.1f %%, transfer %.1f %%, host %.1f %%\n",
              static_cast<unsigned long long>(c.cycles), share(c.compute), share(c.sync), share(c.exchange),
              share(c.transfer), share(c.host));
  std::printf(
      "simulated %.3g chip cycles/s; %.3g tile-cycles/s evaluated, %llu of %llu tile-cycles skipped (waiting tiles)\n",
      static_cast<double>(c.cycles) / seconds, static_cast<double>(c.evaluated) / seconds,
      static_cast<unsigned long long>(c.skipped), static_cast<unsigned long long>(c.skipped + c.evaluated));
}

int train(const Arguments& a) {
  setenv("TESSERA_BACKEND", a.on.c_str(), 1);
  setenv("TESSERA_MACHINE", a.machine.c_str(), 1);
  const DataSet data = read_digits(a.folder + "/data/optdigits.csv.gz", a.train);
  poplar::Device device = attach();
  poplar::Graph graph(device.getTarget());
  const Network network = build_network(graph, a.folder + "/codelets.cpp", a.train / Network::kBatch, 1.0f);

  auto start = std::chrono::steady_clock::now();
  poplar::Engine engine(graph, network.programs);
  std::printf("%s on %s: %zu digits to train on, %zu held out; compiled in %.2f s\n", a.machine.c_str(), a.on.c_str(),
              data.train_labels.size(), data.test_labels.size(), seconds_since(start));
  if (!a.waves.empty()) tessera::leaveWaves(device, a.waves, {0, 1}, kFirstWave, kWaves);
  tessera::recordSupersteps(device, true);
  engine.load(device);

  Result result;
  result.machine = a.machine;
  double seconds = 0;
  for (unsigned epoch = 0; epoch < a.epochs; ++epoch) {
    float loss = 0;
    engine.connectStream("images", const_cast<float*>(data.train_images.data()),
                         const_cast<float*>(data.train_images.data() + data.train_images.size()));
    engine.connectStream("labels", const_cast<int*>(data.train_labels.data()),
                         const_cast<int*>(data.train_labels.data() + data.train_labels.size()));
    engine.connectStream("loss", &loss, &loss + 1);
    start = std::chrono::steady_clock::now();
    engine.run(Network::kTrainEpoch);
    seconds += seconds_since(start);
    result.losses.push_back(loss / static_cast<float>(data.train_labels.size()));
    std::printf("epoch %2u   loss %.4f\n", epoch + 1, static_cast<double>(result.losses.back()));
    std::fflush(stdout);
  }
  const tessera::MachineCounters counters = tessera::machineCounters(device);
  print_cycles(counters, seconds);
  result.accuracy = held_out_accuracy(engine, data);
  std::printf("held-out accuracy %.2f %%\n", 100.0 * result.accuracy);
  result.weights.resize(Network::kWeights);
  engine.readTensor("weights", result.weights.data(), result.weights.data() + result.weights.size());
  result.cycles = tessera::machineCounters(device).cycles;
  for (const auto& step : tessera::takeSupersteps(device)) result.supersteps.push_back({step.cycle, step.hash});
  if (!a.waves.empty())
    std::printf("waves of tiles 0 and 1 in supersteps %u to %u: %s\n", kFirstWave, kFirstWave + kWaves - 1,
                a.waves.c_str());

  if (!a.result.empty()) write_result(a.result, result);
  if (a.against.empty()) return 0;
  const std::string difference = first_difference(result, read_result(a.against));
  if (!difference.empty()) {
    std::printf("NOT equal to %s: %s\n", a.against.c_str(), difference.c_str());
    return 1;
  }
  std::printf("weights equal in every bit, %llu cycles equal, memory hash equal at all %zu supersteps\n",
              static_cast<unsigned long long>(result.cycles), result.supersteps.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return train(parse(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
