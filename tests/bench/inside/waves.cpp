// What waves cost: the demo on 16 RTL tiles with waves of one tile all through and without, windows of a few
// supersteps, and a window that the model runs up to. Runs that are compared take turns, so that a machine's other load
// falls on both.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "tests/bench/figure.h"
#include "tests/codelet/temporary_directory.h"
#include "tests/programs/digits/data_set.h"
#include "tests/programs/digits/network.h"

namespace {

constexpr unsigned kTrain = 1440, kEpochs = 8;

class Demo {
 public:
  Demo(const std::string& backend, const std::string& inspect, const DataSet& data, unsigned batches) : data_(data) {
    setenv("TESSERA_BACKEND", backend.c_str(), 1);
    setenv("TESSERA_INSPECT", inspect.c_str(), 1);
    auto manager = poplar::DeviceManager::createDeviceManager();
    device_ = std::move(manager.getDevices(poplar::TargetType::IPU, 1).front());
    if (!device_.attach()) throw std::runtime_error("no machine can be attached");
    poplar::Graph graph(device_.getTarget());
    const Network network = build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", batches, 1.0f);
    engine_ = std::make_unique<poplar::Engine>(graph, network.programs);
    timed([&] { engine_->load(device_); });
    engine_->connectStream("images", data_.train_images.data(), data_.train_images.data() + data_.train_images.size());
    engine_->connectStream("labels", data_.train_labels.data(), data_.train_labels.data() + data_.train_labels.size());
    engine_->connectStream("loss", &loss_, &loss_ + 1);
  }
  void train() {
    timed([&] { engine_->run(Network::kTrainEpoch); });
  }
  // The waves are complete; -> chip cycles.
  std::uint64_t end() {
    const std::uint64_t cycles = tessera::machineCounters(device_).cycles;
    timed([&] { device_.detach(); });
    return cycles;
  }
  double seconds() const { return seconds_; }

 private:
  template <class Work>
  void timed(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  DataSet data_;
  poplar::Device device_;
  std::unique_ptr<poplar::Engine> engine_;
  float loss_ = 0;
  double seconds_ = 0;
};

void whole_demo(const std::string& folder, const DataSet& data) {
  const std::string fst = folder + "/whole.fst";
  Demo plain("rtl", "", data, kTrain / Network::kBatch);
  Demo traced("rtl", "waves=" + fst + ";wave-tiles=1", data, kTrain / Network::kBatch);
  for (unsigned epoch = 0; epoch < kEpochs; ++epoch) {
    plain.train();
    traced.train();
  }
  plain.end();
  const std::uint64_t cycles = traced.end();
  const auto bytes = static_cast<double>(std::filesystem::file_size(fst));
  const nlohmann::json context = {{"machine", "mk2-16"},      {"tiles", 1},     {"cycles", cycles},
                                  {"plain", plain.seconds()}, {"bytes", bytes}, {"with waves", traced.seconds()}};
  print_figure("inside_waves_slowdown", traced.seconds() / plain.seconds(), "times the run without", Goal::kAtMost, 1.6,
               context);
  print_figure("inside_waves_bytes", bytes / static_cast<double>(cycles), "bytes per traced tile-cycle", Goal::kAtMost,
               12, context);
}

// Batches are two supersteps each.
void windows(const std::string& folder, const DataSet& data) {
  constexpr unsigned kBatches = 24;
  const auto window = [&](unsigned supersteps) {
    return "waves=" + folder + "/" + std::to_string(supersteps) +
           ".fst;wave-tiles=1;wave-from=11;wave-for=" + std::to_string(supersteps);
  };
  const auto bytes = [&](unsigned supersteps) {
    return static_cast<double>(std::filesystem::file_size(folder + "/" + std::to_string(supersteps) + ".fst"));
  };
  Demo plain("rtl", "snapshots=false", data, 1), two("rtl", window(2) + ";snapshots=false", data, 1),
      eight("rtl", window(8) + ";snapshots=false", data, 1);
  for (unsigned batch = 0; batch < kBatches; ++batch) {
    plain.train();
    two.train();
    eight.train();
  }
  for (Demo* demo : {&plain, &two, &eight}) demo->end();
  print_figure("inside_waves_window_bytes", bytes(8) / bytes(2) / 4, "bytes of 8 supersteps over 4 times those of 2",
               Goal::kAtMost, 1.15, {{"2 supersteps", bytes(2)}, {"8 supersteps", bytes(8)}});
  print_figure("inside_waves_window_time", two.seconds() / plain.seconds(), "times the run without, 2 of 48 supersteps",
               Goal::kAtMost, 1.15,
               {{"plain", plain.seconds()}, {"2 supersteps", two.seconds()}, {"8 supersteps", eight.seconds()}});
}

// Up to the window, with the model and with the RTL.
void window_from_model(const std::string& folder, const DataSet& data) {
  constexpr unsigned kBatches = 12;
  const std::string window = "waves=" + folder +
                             "/late.fst;wave-tiles=1;wave-from=" + std::to_string(2 * kBatches + 1) +
                             ";wave-for=2;rtl-window=true;snapshots=false";
  Demo rtl("rtl", "snapshots=false", data, 1), switched("rtl", window, data, 1),
      model("model", "snapshots=false", data, 1);
  for (unsigned batch = 0; batch < kBatches; ++batch)
    for (Demo* demo : {&rtl, &switched, &model}) demo->train();
  const double before = switched.seconds();
  switched.train();
  const double all = switched.seconds();
  for (Demo* demo : {&rtl, &switched, &model}) demo->end();
  print_figure("inside_waves_before_window", before / rtl.seconds(), "of the RTL's time before the window",
               Goal::kAtMost, 0.3,
               {{"rtl", rtl.seconds()},
                {"model", model.seconds()},
                {"before the window", before},
                {"window", all - before},
                {"bytes", std::filesystem::file_size(folder + "/late.fst")}});
}

}  // namespace

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-16", 1);
  const TemporaryDirectory files;
  const std::string folder = files.path("");
  const DataSet data = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kTrain);
  windows(folder, data);
  window_from_model(folder, data);
  whole_demo(folder, data);
}
