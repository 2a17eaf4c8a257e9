// How many exchange phases programs take against the least that their dependences allow, and the cycles with phases
// merged and apart.
#include <algorithm>
#include <ctime>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <stdexcept>
#include <tessera/machine.hpp>
#include <vector>

#include "compiler/passes/phases/merge_phases.h"
#include "tests/bench/compiler/on_model.h"
#include "tests/bench/figure.h"
#include "tests/compiler/layers.h"
#include "tests/programs/digits/network.h"

namespace {

namespace ir = tessera::ir;
using tessera::test::Layers;

constexpr double kMostTimesTheLeast = 1.2;

struct Taken {
  std::uint64_t phases = 0, cycles = 0;
};

void print(const char* name, const Taken& merged, const Taken& apart, std::uint64_t least) {
  print_figure(name, static_cast<double>(merged.phases) / static_cast<double>(least), "times the least phases",
               Goal::kAtMost, kMostTimesTheLeast,
               {{"phases", merged.phases},
                {"least", least},
                {"phases apart", apart.phases},
                {"cycles", merged.cycles},
                {"cycles apart", apart.cycles},
                {"machine", "mk2-16"}});
}

// An epoch of digits, after one that warms nothing up: phases and cycles do not depend on data.
Taken digits(unsigned batches, const poplar::OptionFlags& options) {
  auto devices = poplar::DeviceManager::createDeviceManager().getDevices(poplar::TargetType::IPU, 1);
  if (devices.empty() || !devices[0].attach()) throw std::runtime_error("no IPU is free");
  const poplar::Device& device = devices[0];
  poplar::Graph graph(device.getTarget());
  const Network network = build_network(graph, DIGITS_FOLDER "/codelets.cpp", batches, 1.0f);
  poplar::Engine engine(graph, network.programs, options);
  std::vector<float> images(std::size_t{batches} * Network::kBatch * Network::kPixels, 0.5f);
  std::vector<int> labels(std::size_t{batches} * Network::kBatch, 1);
  float loss = 0;
  engine.connectStream("images", images.data(), images.data() + images.size());
  engine.connectStream("labels", labels.data(), labels.data() + labels.size());
  engine.connectStream("loss", &loss, &loss + 1);
  engine.load(device);
  const tessera::MachineCounters before = tessera::machineCounters(device);
  engine.run(Network::kTrainEpoch);
  const tessera::MachineCounters after = tessera::machineCounters(device);
  return {after.supersteps - before.supersteps, after.cycles - before.cycles};
}

void digits() {
  constexpr unsigned kBatches = 15;
  // A batch: the weights that an update has made on all tiles go to all tiles before errors can be computed from them;
  // gradients of all tiles go to the weights that they change before an update. Each depends on the one before.
  constexpr std::uint64_t kLeast = 2 * kBatches;
  print("compiler_phases_digits", digits(kBatches, {}), digits(kBatches, {{"tessera.mergePhases", "false"}}), kLeast);
}

void layers(const char* name, Layers::Data data) {
  const tessera::spec::Machine machine = tessera::spec::load_machine("mk2-16");
  const Layers program(machine.tiles(), data);
  const auto taken = [&](const tessera::compiler::Optimisations& optimise) {
    const auto count = count_phases(program, machine, optimise);
    if (count.out != tessera::test::expected_out()) throw std::runtime_error("the layers have computed something else");
    return Taken{count.phases, count.cycles};
  };
  print(name, taken({}), taken({.merge_phases = false}), Layers::least_phases(data));
}

// Rows of copies, gathers and compute sets on 64 tiles, of which some depend on each other.
ir::Program long_program(std::uint32_t steps) {
  constexpr std::uint32_t kTiles = 64;
  ir::Program program;
  program.tiles = kTiles;
  std::vector<ir::BlockId> variables, buffers;
  for (std::uint32_t tile = 0; tile < kTiles; ++tile)
    variables.push_back(add_block(program.blocks, {.tile = tile, .bytes = 256}));
  ir::Body& body = program.bodies.emplace_back();
  const auto copy = [&](ir::Exchange exchange) {
    body.push_back({.name = "copy", .index = static_cast<std::uint32_t>(program.exchanges.size())});
    program.exchanges.push_back(std::move(exchange));
  };
  std::uint32_t random = 1;
  const auto some = [&](std::uint32_t below) { return (random = random * 1664525 + 1013904223) >> 16 & (below - 1); };
  while (body.size() < steps) {
    ir::Exchange across, gather;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t tile = some(kTiles);
      across.moves.push_back(
          {{variables[tile], 4 * some(32)}, {variables[(tile + 1) % kTiles], 128 + 4 * some(32)}, 4});
    }
    const std::uint32_t tile = some(kTiles), from = some(kTiles);
    const ir::Block buffer{.tile = tile, .bytes = 64, .use = ir::BlockUse::kBuffer};
    const ir::Place to{add_block(program.blocks, buffer), 0};
    gather.moves.push_back({{variables[from], 64}, to, 64});
    copy(std::move(across));
    copy(std::move(gather));
    program.regions.push_back({.at = to, .elements = 16, .element_bytes = 4});
    program.regions.push_back({.at = {variables[tile], 4 * some(32)},
                               .elements = 8,
                               .element_bytes = 4,
                               .access = tessera::graph::FieldKind::kOutput});
    ir::Compute compute{.name = "compute"};
    compute.vertices.push_back(
        {.tile = tile, .first_region = static_cast<std::uint32_t>(program.regions.size()) - 2, .regions = 2});
    body.push_back({.kind = ir::StepKind::kCompute,
                    .name = "compute",
                    .index = static_cast<std::uint32_t>(program.computes.size())});
    program.computes.push_back(std::move(compute));
  }
  return program;
}

double processor_seconds(std::uint32_t steps) {
  ir::Program program = long_program(steps);
  const std::clock_t begin = std::clock();
  const ir::Program merged = tessera::compiler::merge_phases(std::move(program));
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void time() {
  constexpr std::uint32_t kSteps = 100'000;
  const double once = std::min(processor_seconds(kSteps), processor_seconds(kSteps));
  const double twice = std::min(processor_seconds(2 * kSteps), processor_seconds(2 * kSteps));
  print_figure("compiler_phases_twice", twice / once, "times the processor time", Goal::kAtMost, 2.5,
               {{"steps", kSteps}, {"seconds", once}});
}

}  // namespace

int main() {
  return on_model([] {
    digits();
    layers("compiler_phases_layers", Layers::Data::kCopied);
    layers("compiler_phases_layers_in_place", Layers::Data::kInPlace);
    time();
  });
}
