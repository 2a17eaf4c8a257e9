// Trains the digits' softmax regression data-parallel: every replica, a chip each, has a part of each batch, and
// gradients are added up over the links. Prints what is to be compared between runs.
//
//   digits_replicas [--on model|rtl] [--machine NAME] [--replicas N] [--epochs N] [--train N]
//
// --machine: of a chip; with N replicas the system NAMExN runs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <tessera/machine.hpp>

#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits_replicas/replicated_network.h"

namespace {

struct Arguments {
  std::string on = "model", machine = "mk2-16";
  unsigned replicas = 1, epochs = 3, train = 1440;
};

poplar::Device attach(unsigned chips) {
  for (auto& device : poplar::DeviceManager().getDevices(poplar::TargetType::IPU, chips))
    if (device.attach()) return std::move(device);
  throw std::runtime_error("digits_replicas: no device of " + std::to_string(chips) + " IPUs is free");
}

// Whether the weights of all replicas are the same in every bit.
bool all_alike(const std::vector<float>& weights, unsigned replicas) {
  const size_t bytes = weights.size() / replicas * sizeof(float);
  for (unsigned r = 1; r < replicas; ++r)
    if (std::memcmp(weights.data(), weights.data() + r * (weights.size() / replicas), bytes) != 0) return false;
  return true;
}

void train(const Arguments& a) {
  setenv("TESSERA_BACKEND", a.on.c_str(), 1);
  const std::string system = a.replicas == 1 ? a.machine : a.machine + "x" + std::to_string(a.replicas);
  setenv("TESSERA_MACHINE", system.c_str(), 1);
  const DataSet data = read_digits(DIGITS_FOLDER "/data/optdigits.csv.gz", a.train);
  const poplar::Device device = attach(a.replicas);
  poplar::Graph graph(device, poplar::replication_factor(a.replicas));
  poplar::Engine engine(graph,
                        build_replicated_network(graph, DIGITS_FOLDER "/codelets.cpp", a.train / kGlobalBatch, 1.0f));
  engine.load(device);
  std::vector<float> images(data.train_images), losses(a.replicas), weights(a.replicas * kNetworkWeights);
  std::vector<int> labels(data.train_labels);
  for (unsigned epoch = 0; epoch < a.epochs; ++epoch) {
    engine.connectStream("images", images.data(), images.data() + images.size());
    engine.connectStream("labels", labels.data(), labels.data() + labels.size());
    engine.connectStream("loss", losses.data(), losses.data() + losses.size());
    engine.run();
    double loss = 0;
    for (const float of_replica : losses) loss += of_replica;
    std::printf("epoch %u loss %.9g\n", epoch + 1, loss / a.train);
  }
  engine.readTensor("weights", weights.data(), weights.data() + weights.size());
  if (!all_alike(weights, a.replicas)) throw std::runtime_error("digits_replicas: replicas have different weights");
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const float weight : weights) {
    std::uint32_t bits;
    std::memcpy(&bits, &weight, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  std::printf("weights %016llx memory %016llx cycles %llu\n", static_cast<unsigned long long>(hash),
              static_cast<unsigned long long>(tessera::memoryHash(device)),
              static_cast<unsigned long long>(tessera::machineCounters(device).cycles));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App app{"Trains handwritten digits on replicas"};
  app.add_option("--on", a.on, "model or rtl")->check(CLI::IsMember({"model", "rtl"}));
  app.add_option("--machine", a.machine, "of a chip");
  app.add_option("--replicas", a.replicas, "a chip each")->check(CLI::IsMember({1, 2, 4, 8, 16}));
  app.add_option("--epochs", a.epochs)->check(CLI::PositiveNumber);
  app.add_option("--train", a.train, "digits, a multiple of 96")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    if (a.train % kGlobalBatch != 0) throw std::runtime_error("digits_replicas: --train must be a multiple of 96");
    train(a);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
