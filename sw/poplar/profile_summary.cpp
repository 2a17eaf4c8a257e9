#include "sw/poplar/profile_summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::runtime {
namespace {

struct Part {
  const char* name;
  uint32_t image::TileUsage::* bytes;
};

constexpr Part kParts[] = {
    {"Codelets and library", &image::TileUsage::text},
    {"Control code", &image::TileUsage::control},
    {"Exchange events", &image::TileUsage::events},
    {"Variables and constants", &image::TileUsage::variables},
    {"Vertex state", &image::TileUsage::vertices},
    {"Buffers", &image::TileUsage::buffers},
    {"Stacks", &image::TileUsage::stacks},
};

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void print_summary(std::ostream& os, const image::Executable& executable, const std::optional<chip::Counters>& counters,
                   bool per_tile) {
  const auto& usage = executable.usage;
  uint64_t total = 0, available = 0;
  uint32_t most = 0;
  size_t fullest = 0;
  for (size_t tile = 0; tile < usage.size(); ++tile) {
    total += usage[tile].total;
    available += usage[tile].available;
    if (usage[tile].total > most) {
      most = usage[tile].total;
      fullest = tile;
    }
  }
  os << fmt::format("Target:\n  Machine: {}, {} tiles\n\n", executable.machine, executable.tiles.size());
  os << fmt::format("Memory Usage:\n  Total: {} bytes, {:.1f} % of {}\n", total, percent(total, available), available);
  if (!usage.empty())
    os << fmt::format("  Fullest tile: {}, {} bytes, {:.1f} %\n", fullest, most,
                      percent(most, usage[fullest].available));
  for (const Part& part : kParts) {
    uint64_t sum = 0;
    for (const image::TileUsage& tile : usage) sum += tile.*part.bytes;
    os << fmt::format("  {:<24}{:>14} bytes\n", part.name, sum);
  }
  if (per_tile)
    for (size_t tile = 0; tile < usage.size(); ++tile)
      os << fmt::format("  Tile {:<5}{:>10} bytes, {:.1f} %\n", tile, usage[tile].total,
                        percent(usage[tile].total, usage[tile].available));
  os << fmt::format("  Host memory for streams: {} bytes\n", executable.host.bytes);
  if (!counters) return;
  os << fmt::format("\nCycles since the load:\n  Total: {}, {} supersteps\n", counters->cycles, counters->supersteps);
  for (const auto& [name, cycles] : {std::pair("Compute", counters->compute), std::pair("Sync", counters->sync),
                                     std::pair("Exchange", counters->exchange), std::pair("Host", counters->host)})
    os << fmt::format("  {:<10}{:>14}  {:5.1f} %\n", name, cycles, percent(cycles, counters->cycles));
}

}  // namespace tessera::runtime
