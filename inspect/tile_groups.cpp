#include "inspect/tile_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::inspect {
namespace {

constexpr size_t kMostRanges = 12;

}  // namespace

std::vector<TileGroup> group_tiles(const std::vector<chip::TileWait>& waits,
                                   const std::function<std::string(const chip::TileWait&)>& key) {
  std::map<std::string, std::vector<unsigned>> by_text;
  for (const chip::TileWait& wait : waits) by_text[key(wait)].push_back(wait.tile);
  std::vector<TileGroup> groups;
  for (auto& [what, tiles] : by_text) groups.push_back({what, std::move(tiles)});
  std::stable_sort(groups.begin(), groups.end(), [](const TileGroup& a, const TileGroup& b) {
    return a.tiles.size() != b.tiles.size() ? a.tiles.size() > b.tiles.size() : a.tiles < b.tiles;
  });
  return groups;
}

std::string text(const TileGroup& group, const spec::ChipPlace& place) {
  return tile_list(group.tiles, place) + " " + doing(group.what, group.tiles.size());
}

std::string doing(const std::string& what, size_t tiles) {
  for (const std::string verb : {"wait", "await"})
    if (tiles > 1 && what.starts_with(verb + "s ")) return verb + what.substr(verb.size() + 1);
  return what;
}

std::string tile_list(std::vector<unsigned> tiles, const spec::ChipPlace& place) {
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  std::vector<std::string> ranges;
  for (size_t i = 0; i < tiles.size();) {
    size_t end = i + 1;
    while (end < tiles.size() && tiles[end] == tiles[end - 1] + 1) ++end;
    ranges.push_back(end - i == 1 ? std::to_string(tiles[i])
                                  : std::to_string(tiles[i]) + "-" + std::to_string(tiles[end - 1]));
    i = end;
  }
  const std::string chip = place.chips > 1 ? "chip " + std::to_string(place.chip) + " " : "";
  if (ranges.size() > kMostRanges)
    return chip + std::to_string(tiles.size()) + " tiles, the first of them " + ranges[0];
  std::string text = chip + (tiles.size() == 1 ? "tile " : "tiles ");
  for (size_t i = 0; i < ranges.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ranges.size() ? " and " : ", ") + ranges[i];
  return text;
}

}  // namespace tessera::inspect
