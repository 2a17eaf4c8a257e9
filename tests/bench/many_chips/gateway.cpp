// Copies between tiles and the memory of a gateway: how much of its described rate they have, and how much of their
// time I/O tiles hide behind compute (docs/user/streaming-memory.md). Four replicas on one gateway, a chip of mk2-16
// each.
#include <gcl/TileAllocation.hpp>
#include <poplar/DeviceManager.hpp>

#include "rtl/spec/system.h"
#include "tests/bench/figure.h"
#include "tests/programs/cycles_of_program.h"
#include "tests/programs/io_tiles/io_tiles.h"

namespace {

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kReplicas = 4;
constexpr std::size_t kFloats = (1 << 20) / 4;

Device device_of(unsigned ipus) {
  Device device = std::move(DeviceManager().getDevices(TargetType::IPU, ipus).at(0));
  if (!device.attach()) std::exit(1);
  return device;
}

struct Ways {
  bool read, write;
};

// Cycles of copies of 1 MiB a replica each way, without what an empty program takes. `tiles`: of an IPU.
std::uint64_t cycles_of(const Device& device, Ways ways, unsigned tiles) {
  Graph graph(device, replication_factor(kReplicas));
  Graph on = graph.createVirtualGraph(gcl::perIPUTiles(graph, 0, tiles));
  const RemoteBuffer from = graph.addRemoteBuffer("from", FLOAT, kFloats),
                     to = graph.addRemoteBuffer("to", FLOAT, kFloats);
  const Tensor comes = on.addVariable(FLOAT, {kFloats}, "comes"), goes = on.addVariable(FLOAT, {kFloats}, "goes");
  io_tiles::spread(on, comes);
  io_tiles::spread(on, goes);
  Sequence copies;
  if (ways.write) copies.add(Copy(goes, to));
  if (ways.read) copies.add(Copy(from, comes));
  return cycles_of_program(device, graph, copies);
}

}  // namespace

int main() {
  ::setenv("TESSERA_MACHINE", "mk2-16x4", 1);
  ::setenv("TESSERA_BACKEND", "model", 1);
  const tessera::spec::System system = tessera::spec::load_system("mk2-16x4");
  const std::uint32_t rate = system.gateways[0].bytes_per_cycle, latency = system.gateways[0].latency;
  const double bound = 4.0 * kFloats / rate;
  bool ok = true;
  {
    const Device device = device_of(kReplicas);
    const unsigned all = device.getTarget().getTilesPerIPU();
    const unsigned few = gcl::getMinIoTiles(Graph(device));
    const auto row = [&](const char* name, Ways ways, unsigned tiles) {
      const std::uint64_t cycles = cycles_of(device, ways, tiles);
      ok &= print_figure(name, bound / static_cast<double>(cycles), "of the gateway's rate", Goal::kAtLeast, 0.9,
                         {{"cycles", cycles}, {"bound", bound}, {"tiles", tiles}, {"latency", latency}});
    };
    row("remote-write-1-MiB", {false, true}, all);
    row("remote-read-1-MiB", {true, false}, all);
    row("remote-both-ways-1-MiB", {true, true}, all);
    row("remote-write-1-MiB-few-tiles", {false, true}, few);
    row("remote-read-1-MiB-few-tiles", {true, false}, few);
  }
  const io_tiles::Size size{.io_tiles = 8, .batch = 16384, .batches = 24, .rounds = 10};
  const io_tiles::Hidden hidden = io_tiles::measure(device_of(1), size);
  ok &= print_figure("io-tiles-hidden", hidden.part(), "of the transfers' time", Goal::kAtLeast, 0.8,
                     {{"compute alone", hidden.compute}, {"transfers alone", hidden.transfers}, {"both", hidden.both}});
  return ok ? 0 : 1;
}
