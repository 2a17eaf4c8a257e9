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
void print_variables(std::ostream& os, const Executable& executable) {
  struct Size {
    std::string name;
    uint64_t bytes = 0;
    std::set<std::pair<uint32_t, uint32_t>> tiles{};  // with their chips
  };
  std::map<uint32_t, Size> sizes;
  for (uint32_t chip = 0; chip < executable.chips.size(); ++chip) {
    const names::ProgramInfo& info = executable.chips[chip].info;
    for (const names::Variable& place : info.variables) {
      Size& size = sizes[place.id];
      size.name = info.name(place.name);
      size.bytes += place.bytes;
      size.tiles.insert({chip, place.tile});
    }
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

void print_steps(std::ostream& os, const Executable& executable) {
  os << "\nExecution steps:\n";
  std::map<uint32_t, std::string> steps;  // of all tiles
  for (const ChipImage& chip : executable.chips) {
    for (const names::Step& step : chip.info.steps) steps[step.id] = chip.info.name(step.what);
    for (const names::StepCall& call : chip.info.calls) steps[call.id] = chip.info.name(call.what);
  }
  for (const auto& [id, what] : steps) os << "  " << what << '\n';
}

struct Sum {
  uint64_t total = 0, available = 0;
};
Sum sum_of(const std::vector<TileUsage>& usage) {
  Sum sum;
  for (const TileUsage& tile : usage) sum.total += tile.total, sum.available += tile.available;
  return sum;
}

}  // namespace

void print_summary(std::ostream& os, const Executable& executable, const SummaryParts& parts) {
  std::vector<TileUsage> usage;  // of all chips, whose tiles are numbered chip by chip
  for (const ChipImage& chip : executable.chips) usage.insert(usage.end(), chip.usage.begin(), chip.usage.end());
  const Sum all = sum_of(usage);
  uint64_t most = 0;
  size_t fullest = 0;
  for (size_t tile = 0; tile < usage.size(); ++tile)
    if (usage[tile].total > most) most = usage[tile].total, fullest = tile;
  size_t tiles = 0;
  for (const ChipImage& chip : executable.chips) tiles += chip.tiles.size();
  const size_t chips = executable.chips.size();
  os << fmt::format("Target:\n  Machine: {}{}, {} tiles\n", chips > 1 ? std::to_string(chips) + " " : "",
                    executable.chips[0].machine, tiles);
  if (executable.replicas > 1)
    os << fmt::format("  Replicas: {}, of which {} words differ; what follows is of one\n", executable.replicas,
                      executable.replica_words.size());
  os << fmt::format("\nMemory Usage:\n  Total: {} bytes, {:.1f} % of {}\n", all.total,
                    percent(all.total, all.available), all.available);
  if (!usage.empty())
    os << fmt::format("  Fullest tile: {}, {} bytes, {:.1f} %, at its peak in {}\n", fullest, most,
                      percent(most, usage[fullest].available), usage[fullest].peak);
  for (const Part& part : kParts) {
    uint64_t sum = 0;
    for (const TileUsage& tile : usage) sum += tile.*part.bytes;
    os << fmt::format("  {:<24}{:>14} bytes\n", part.name, sum);
  }
  if (parts.ipus)
    for (size_t chip = 0; chip < chips; ++chip) {
      const Sum sum = sum_of(executable.chips[chip].usage);
      os << fmt::format("  IPU {:<6}{:>12} bytes, {:.1f} %\n", chip, sum.total, percent(sum.total, sum.available));
    }
  if (parts.tiles)
    for (size_t tile = 0; tile < usage.size(); ++tile)
      os << fmt::format("  Tile {:<5}{:>10} bytes, {:.1f} %, {:>10} not always live, at its peak in {}\n", tile,
                        usage[tile].total, percent(usage[tile].total, usage[tile].available),
                        usage[tile].not_always_live, usage[tile].peak);
  os << fmt::format("  Host memory for streams: {} bytes\n", executable.host.bytes);
  if (parts.variables) print_variables(os, executable);
  if (parts.execution_steps) print_steps(os, executable);
}

}  // namespace tessera::image
