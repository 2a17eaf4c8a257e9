// What collectives across four replicas, a chip of mk2-16 each, take (docs/user/several-ipus.md).
#include <gcl/Collectives.hpp>
#include <poplar/DeviceManager.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "rtl/spec/system.h"
#include "tests/bench/figure.h"
#include "tests/programs/cycles_of_program.h"

namespace {

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kReplicas = 4;

// Cycles of an all-reduce in place of so many floats a replica, without what an empty program takes.
std::uint64_t cycles_of(const Device& device, std::size_t elements) {
  Graph graph(device, replication_factor(kReplicas));
  popops::addCodelets(graph);
  const Tensor data = graph.addVariable(FLOAT, {elements}, "data");
  poputil::mapTensorLinearly(graph, data);
  Sequence reduce;
  gcl::allReduceInPlaceCrossReplica(graph, data, gcl::CollectiveOperator::ADD, reduce, "all");
  return cycles_of_program(device, graph, reduce);
}

}  // namespace

int main() {
  ::setenv("TESSERA_MACHINE", "mk2-16x4", 1);
  ::setenv("TESSERA_BACKEND", "model", 1);
  const Device device = std::move(DeviceManager().getDevices(TargetType::IPU, kReplicas).at(0));
  if (!device.attach()) return 1;
  const tessera::spec::System system = tessera::spec::load_system("mk2-16x4");

  // A ring of all chips, both ways round: each sends 3/4 of its words twice, half of them each way, by the links to a
  // neighbour. The fewest links between two neighbours of the ring bound it.
  std::uint64_t narrowest = ~0ull;
  for (std::uint32_t a = 0; a < kReplicas; ++a)
    for (const std::uint32_t b : system.grid->beside(a)) {
      std::uint64_t words = 0;
      for (const auto& link : system.links)
        if ((link.ends[0].chip == a && link.ends[1].chip == b) || (link.ends[0].chip == b && link.ends[1].chip == a))
          words += link.bytes_per_cycle / 4;
      narrowest = std::min(narrowest, words);
    }
  const std::size_t large = (1 << 20) / 4;
  const double bound = 2.0 * 3 / 4 * static_cast<double>(large) / (2.0 * static_cast<double>(narrowest));
  const std::uint64_t cycles = cycles_of(device, large);
  bool ok = print_figure("all-reduce-1-MiB", bound / static_cast<double>(cycles), "of the link bound", Goal::kAtLeast,
                         0.85, {{"cycles", cycles}, {"bound", bound}, {"words a cycle to a neighbour", narrowest}});

  // Of one element: two hops across, the sync of the group before it, there and back.
  const auto& machine = system.chips[0];
  const std::uint64_t hops = 2 * system.links[0].latency;
  const std::uint64_t sync =
      machine.external_request + machine.external_acknowledge + 2ull * (kReplicas - 1) * system.groups[0].hop_latency;
  const std::uint64_t small = cycles_of(device, 1);
  ok &= print_figure("all-reduce-4-bytes", static_cast<double>(small) / static_cast<double>(hops + sync),
                     "of hops and syncs", Goal::kAtMost, 1.3, {{"cycles", small}, {"hops", hops}, {"sync", sync}});
  return ok ? 0 : 1;
}
