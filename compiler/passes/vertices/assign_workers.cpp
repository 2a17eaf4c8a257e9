#include "compiler/passes/vertices/assign_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "compiler/parallel/parallel.h"

namespace tessera::compiler {

void assign_workers(std::span<ir::Vertex> of_tile) {
  constexpr std::uint32_t kStartCost = 7;  // slots of calling a vertex (sw/device/runtime/worker.S)
  std::vector<std::uint32_t> order(of_tile.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return of_tile[a].cost > of_tile[b].cost; });
  std::array<std::uint64_t, 6> load{};
  for (const std::uint32_t i : order) {
    ir::Vertex& vertex = of_tile[i];
    switch (vertex.kind) {
      case graph::CodeletKind::kMultiVertex:
        vertex.worker = ir::kAllWorkers;
        for (std::uint64_t& l : load) l += vertex.cost / 6 + kStartCost;
        break;
      case graph::CodeletKind::kSupervisor:
        vertex.worker = ir::kSupervisorWorker;
        break;
      case graph::CodeletKind::kVertex: {
        const auto least = std::min_element(load.begin(), load.end());
        vertex.worker = static_cast<std::uint32_t>(least - load.begin());
        *least += std::uint64_t{vertex.cost} + kStartCost;
        break;
      }
    }
  }
}

void assign_workers(ir::Program& program, unsigned threads) {
  std::vector<std::span<ir::Vertex>> tiles;  // of each compute
  for (ir::Compute& compute : program.computes)
    for (std::size_t i = 0; i < compute.of_tile.tiles().size(); ++i) {
      const auto range = compute.of_tile.range(i);
      tiles.push_back(std::span(compute.vertices).subspan(range.first, range.size()));
    }
  parallel(threads, tiles.size(), [&](std::size_t i) { assign_workers(tiles[i]); });
}

std::string dump_workers(const ir::Program& program) {
  std::string text;
  for (const ir::Compute& compute : program.computes) {
    text += "compute set " + compute.name + "\n";
    for (const ir::Vertex& vertex : compute.vertices) {
      text += fmt::format("  tile {} vertex {}", vertex.tile, vertex.id);
      if (vertex.worker == ir::kAllWorkers)
        text += " all workers";
      else if (vertex.worker == ir::kSupervisorWorker)
        text += " supervisor";
      else
        text += fmt::format(" worker {}", vertex.worker);
      text += fmt::format(", cost {}\n", vertex.cost);
    }
  }
  return text;
}

}  // namespace tessera::compiler
