#include "compiler/passes/memory/memory_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tessera::compiler {
namespace {

constexpr std::size_t kMostTiles = 16, kMostVariables = 20;

std::string table_of_tiles(const std::vector<image::TileUsage>& usage, const std::vector<FullTile>& full) {
  std::string text =
      fmt::format("\n{:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>15}  at its peak\n",
                  "tile", "text", "control", "events", "variables", "vertices", "buffers", "stacks", "total",
                  "available", "no place", "always live", "not always live");
  for (std::size_t i = 0; i < std::min(full.size(), kMostTiles); ++i) {
    const image::TileUsage& u = usage[full[i].tile];
    text += fmt::format("{:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>15}  {}\n",
                        full[i].tile, u.text, u.control, u.events, u.variables, u.vertices, u.buffers, u.stacks,
                        u.total, u.available, full[i].missing, u.always_live, u.not_always_live, u.peak);
  }
  if (full.size() > kMostTiles) text += fmt::format("  and {} tiles more\n", full.size() - kMostTiles);
  return text;
}

struct VariableSize {
  std::uint64_t all = 0, there = 0;  // bytes on all tiles, on the first full one
  std::set<std::uint32_t> tiles{};
};

std::string table_of_variables(const graph::Graph& graph, const ir::Blocks& blocks, const Homes& homes,
                               std::uint32_t tile) {
  std::map<std::uint32_t, VariableSize> sizes;
  for (ir::BlockId id = 0; id < blocks.size(); ++id) {
    const ir::Block& block = blocks[id];
    if (block.variable == ir::kNone || !has_own_memory(homes, id)) continue;
    VariableSize& size = sizes[block.variable];
    size.all += block.bytes;
    if (block.tile == tile) size.there += block.bytes;
    size.tiles.insert(block.tile);
  }
  if (sizes.empty()) return "";
  std::vector<std::pair<std::uint32_t, const VariableSize*>> order;
  for (const auto& [variable, size] : sizes) order.emplace_back(variable, &size);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second->all > b.second->all; });
  if (order.size() > kMostVariables) order.resize(kMostVariables);
  std::string text =
      fmt::format("\n{:>12} {:>7} {:>13}  largest variables\n", "bytes", "tiles", fmt::format("on tile {}", tile));
  for (const auto& [variable, size] : order)
    text += fmt::format("{:>12} {:>7} {:>13}  {}\n", size->all, size->tiles.size(), size->there,
                        graph::describe_variable(graph, variable));
  return text;
}

}  // namespace

std::string out_of_memory_text(const graph::Graph& graph, const ir::Blocks& blocks, const Homes& homes,
                               const std::vector<image::TileUsage>& usage, const std::vector<FullTile>& full) {
  const FullTile& first = full.front();
  const std::string more = full.size() == 1 ? "" : fmt::format(", and {} tiles more do not fit", full.size() - 1);
  const std::string constraint = first.constraint.empty() ? "" : "; no place meets " + first.constraint;
  return fmt::format(
             "Out of memory: Cannot fit all variable data onto one or more tiles: tile {} uses {} bytes of {} "
             "available, "
             "{} bytes found no place{}{}\n",
             first.tile, usage[first.tile].total, usage[first.tile].available, first.missing, more, constraint) +
         table_of_tiles(usage, full) + table_of_variables(graph, blocks, homes, first.tile);
}

}  // namespace tessera::compiler
