// The demo's training, epoch by epoch, on the machine and backend that the environment names.
#pragma once

#include <chrono>
#include <memory>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <stdexcept>
#include <string>
#include <tessera/machine.hpp>

#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

class Training {
 public:
  Training() : data_(read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain)) {
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

  Training(const Training&) = delete;  // the engine keeps the place of loss_
  Training& operator=(const Training&) = delete;

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
  static constexpr unsigned kTrain = 1440;
  DataSet data_;
  poplar::Device device_;
  std::unique_ptr<poplar::Engine> engine_;
  float loss_ = 0;
};
