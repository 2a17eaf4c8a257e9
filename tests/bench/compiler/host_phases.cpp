// How often programs with streams wait for the host, and the cycles with host phases merged and apart.
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <stdexcept>
#include <tessera/machine.hpp>
#include <vector>

#include "tests/bench/compiler/on_model.h"
#include "tests/bench/figure.h"
#include "tests/compiler/stream_loop.h"
#include "tests/programs/digits/network.h"

namespace {

using tessera::test::StreamLoop;

void loop() {
  const tessera::spec::Machine machine = tessera::spec::load_machine("mk2-16");
  const StreamLoop::Taken merged = StreamLoop::run(machine, {}),
                          apart = StreamLoop::run(machine, {.merge_host_phases = false});
  print_figure("compiler_host_phases_loop",
               static_cast<double>(merged.host_cycles) / static_cast<double>(apart.host_cycles),
               "of the host's cycles apart", Goal::kAtMost, 0.5,
               {{"turns", StreamLoop::kTurns},
                {"host syncs", merged.host_syncs},
                {"host syncs apart", apart.host_syncs},
                {"cycles", merged.cycles},
                {"cycles apart", apart.cycles},
                {"cycles of the host", merged.host_cycles},
                {"cycles of the host apart", apart.host_cycles},
                {"machine", machine.name}});
}

// An epoch of digits: two streams a batch.
tessera::MachineCounters epoch(unsigned batches, const poplar::OptionFlags& options) {
  auto devices = poplar::DeviceManager::createDeviceManager().getDevices(poplar::TargetType::IPU, 1);
  if (devices.empty() || !devices[0].attach()) throw std::runtime_error("no IPU is free");
  const poplar::Device& device = devices[0];
  poplar::Graph graph(device.getTarget());
  const Network network = build_network(graph, DIGITS_FOLDER "/codelets.cpp", batches, 1.0f);
  poplar::Engine engine(graph, network.programs, options);
  std::vector<float> images(std::size_t{batches} * Network::kBatch * Network::kPixels, 0.5f), loss(1);
  std::vector<int> labels(std::size_t{batches} * Network::kBatch, 1);
  engine.connectStream("images", images.data(), images.data() + images.size());
  engine.connectStream("labels", labels.data(), labels.data() + labels.size());
  engine.connectStream("loss", loss.data(), loss.data() + 1);
  engine.load(device);
  tessera::MachineCounters taken = tessera::machineCounters(device);
  engine.run(Network::kTrainEpoch);
  const tessera::MachineCounters after = tessera::machineCounters(device);
  taken.cycles = after.cycles - taken.cycles;
  taken.host = after.host - taken.host;
  return taken;
}

void digits() {
  constexpr unsigned kBatches = 15;
  const auto merged = epoch(kBatches, {}), apart = epoch(kBatches, {{"tessera.mergeHostPhases", "false"}});
  print_figure("compiler_host_phases_digits", static_cast<double>(merged.host) / static_cast<double>(apart.host),
               "of the host's cycles apart", Goal::kAtMost, 0.6,
               {{"batches", kBatches},
                {"cycles", merged.cycles},
                {"cycles apart", apart.cycles},
                {"cycles of the host", merged.host},
                {"cycles of the host apart", apart.host},
                {"machine", "mk2-16"}});
}

}  // namespace

int main() {
  return on_model([] {
    loop();
    digits();
  });
}
