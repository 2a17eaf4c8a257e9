#include "compiler/image/executable_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::image {
namespace {

struct Part {
  const char* name;
  uint64_t TileUsage::* bytes;
};

constexpr Part kParts[] = {
    {"Codelets and library", &TileUsage::text},
    {"Control code", &TileUsage::control},
    {"Exchange events", &TileUsage::events},
    {"Variables and constants", &TileUsage::variables},
    {"Vertex state", &TileUsage::vertices},
    {"Buffers", &TileUsage::buffers},
    {"Stacks", &TileUsage::stacks},
    {"Always live", &TileUsage::always_live},
    {"Not always live", &TileUsage::not_always_live},
};

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// The largest first, those of equal size by name.
void print_variables(std::ostream& os, const names::ProgramInfo& info) {
  struct Size {
    std::string name;
    uint64_t bytes = 0;
    std::set<uint32_t> tiles{};
  };
  std::map<uint32_t, Size> sizes;
  for (const names::Variable& place : info.variables) {
    Size& size = sizes[place.id];
    size.name = info.name(place.name);
    size.bytes += place.bytes;
    size.tiles.insert(place.tile);
  }
  std::vector<std::pair<uint32_t, Size>> order(sizes.begin(), sizes.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (a.second.bytes != b.second.bytes) return a.second.bytes > b.second.bytes;
    return std::tie(a.second.name, a.first) < std::tie(b.second.name, b.first);
  });
  os << "\nVariables:\n";
  for (const auto& [variable, size] : order)
    os << fmt::format("  {:<32}{:>10} bytes on {} tiles\n", size.name, size.bytes, size.tiles.size());
}

}  // namespace

void print_summary(std::ostream& os, const Executable& executable, const SummaryParts& parts) {
  const auto& usage = executable.chip().usage;
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
  os << fmt::format("Target:\n  Machine: {}, {} tiles\n\n", executable.chip().machine, executable.chip().tiles.size());
  os << fmt::format("Memory Usage:\n  Total: {} bytes, {:.1f} % of {}\n", total, percent(total, available), available);
  if (!usage.empty())
    os << fmt::format("  Fullest tile: {}, {} bytes, {:.1f} %, at its peak in {}\n", fullest, most,
                      percent(most, usage[fullest].available), usage[fullest].peak);
  for (const Part& part : kParts) {
    uint64_t sum = 0;
    for (const TileUsage& tile : usage) sum += tile.*part.bytes;
    os << fmt::format("  {:<24}{:>14} bytes\n", part.name, sum);
  }
  if (parts.ipus) os << fmt::format("  IPU 0     {:>12} bytes, {:.1f} %\n", total, percent(total, available));
  if (parts.tiles)
    for (size_t tile = 0; tile < usage.size(); ++tile)
      os << fmt::format("  Tile {:<5}{:>10} bytes, {:.1f} %, {:>10} not always live, at its peak in {}\n", tile,
                        usage[tile].total, percent(usage[tile].total, usage[tile].available),
                        usage[tile].not_always_live, usage[tile].peak);
  os << fmt::format("  Host memory for streams: {} bytes\n", executable.host.bytes);
  if (parts.variables) print_variables(os, executable.chip().info);
  if (parts.execution_steps) {
    os << "\nExecution steps:\n";
    std::map<uint32_t, names::Name> steps;  // of all tiles
    for (const names::Step& step : executable.chip().info.steps) steps[step.id] = step.what;
    for (const names::StepCall& call : executable.chip().info.calls) steps[call.id] = call.what;
    for (const auto& [id, what] : steps) os << "  " << executable.chip().info.name(what) << '\n';
  }
}

}  // namespace tessera::image
