// Printing a graph profile that an engine has left as a file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <string>
#include <vector>

#include "sw/poplar/option_table.h"

namespace poplar {
namespace {

using Numbers = std::vector<std::uint64_t>;

nlohmann::json read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw file_load_error(path);
  try {
    return nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception& error) {
    throw parse_error("'" + path + "' is no graph profile: " + error.what());
  }
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t sum(const Numbers& numbers) {
  std::uint64_t total = 0;
  for (const std::uint64_t number : numbers) total += number;
  return total;
}

void print(std::ostream& os, const nlohmann::json& profile, bool tiles) {
  const nlohmann::json& by_tile = profile.at("memory").at("byTile");
  const auto total = by_tile.at("total").get<Numbers>(), available = by_tile.at("available").get<Numbers>();
  os << fmt::format("Target:\n  Machine: {}, {} tiles\n\n", profile.at("target").at("machine").get<std::string>(),
                    total.size());
  os << fmt::format("Memory Usage:\n  Total: {} bytes, {:.1f} % of {}\n", sum(total),
                    percent(sum(total), sum(available)), sum(available));
  for (const auto& [name, numbers] : by_tile.items())
    if (name != "total" && name != "available")
      os << fmt::format("  {:<24}{:>14} bytes\n", name, sum(numbers.get<Numbers>()));
  if (!tiles) return;
  for (std::size_t tile = 0; tile < total.size(); ++tile)
    os << fmt::format("  Tile {:<5}{:>10} bytes, {:.1f} %\n", tile, total[tile],
                      percent(total[tile], available.at(tile)));
}

}  // namespace

void printGraphSummary(std::ostream& os, StringRef path, const OptionFlags& options) {
  tessera::runtime::check(tessera::runtime::summary_options(), options);
  bool tiles = false;
  for (const auto& [name, value] : options) {
    if (value != "true") continue;
    if (name != "showPerTileMemoryUsage")
      throw missing_profile_data(
          "printGraphSummary: '" + name +
          "': a graph profile holds sizes by tile alone; Engine::printProfileSummary shows more");
    tiles = true;
  }
  const nlohmann::json profile = read(path);
  try {
    print(os, profile, tiles);
  } catch (const nlohmann::json::exception&) {
    throw missing_graph_profile("'" + path.cloneAsString() +
                                "' holds no graph profile; autoReport.outputGraphProfile writes one");
  }
}

}  // namespace poplar
