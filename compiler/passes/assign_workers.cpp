#include "compiler/passes/assign_workers.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tessera::compiler {

void assign_workers(const graph::Graph& graph, Compute& compute) {
  constexpr std::uint32_t kStartCost = 16;  // of calling a vertex, in elements
  std::vector<std::uint32_t> order;
  for (std::size_t tile = 0; tile + 1 < compute.first.size(); ++tile) {
    order.resize(compute.first[tile + 1] - compute.first[tile]);
    std::iota(order.begin(), order.end(), compute.first[tile]);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return compute.vertices[a].cost > compute.vertices[b].cost;
    });
    std::array<std::uint64_t, 6> load{};
    for (const std::uint32_t i : order) {
      LoweredVertex& vertex = compute.vertices[i];
      switch (graph.codelets[graph.vertices[vertex.id].codelet].info.kind) {
        case graph::CodeletKind::kMultiVertex:
          vertex.worker = kAllWorkers;
          for (std::uint64_t& l : load) l += vertex.cost / 6 + kStartCost;
          break;
        case graph::CodeletKind::kSupervisor:
          vertex.worker = kSupervisorWorker;
          break;
        case graph::CodeletKind::kVertex: {
          const auto least = std::min_element(load.begin(), load.end());
          vertex.worker = static_cast<std::uint32_t>(least - load.begin());
          *least += vertex.cost + kStartCost;
          break;
        }
      }
    }
  }
}

}  // namespace tessera::compiler
