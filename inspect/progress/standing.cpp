#include "inspect/progress/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "inspect/options.h"

namespace tessera::inspect::progress {
namespace {

using Groups = std::vector<std::pair<std::string, std::vector<spec::TileId>>>;

// What a tile is in: the codelet of its first active worker, and the step of the program.
std::string place_of(const names::ProgramInfo& program, const chip::TileWait& wait) {
  std::string place;
  if (wait.active_workers != 0) {
    const names::Symbol* symbol = program.symbol_at(wait.worker_pc[std::countr_zero(wait.active_workers)]);
    if (symbol != nullptr) place = "in '" + program.name(symbol->name) + "'";
  }
  if (const names::Step* step = program.step_at(wait.tile, wait.supervisor_pc); step != nullptr)
    place += (place.empty() ? "in " : ", ") + program.name(step->what);
  return place;
}

// The tiles by what `key` says of them, the most first; of equal ones the lowest first.
template <class Key>
Groups groups_of(const std::vector<chip::TileWait>& waits, Key key) {
  std::map<std::string, std::vector<spec::TileId>> by_text;
  for (const chip::TileWait& wait : waits) by_text[key(wait)].push_back({0, wait.tile});
  Groups groups(by_text.begin(), by_text.end());
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.second.size() != b.second.size() ? a.second.size() > b.second.size() : a.second < b.second;
  });
  return groups;
}

// "2 tiles wait", "1 tile waits"
std::string doing(const std::string& state, size_t tiles) {
  return tiles > 1 && state.starts_with("waits ") ? "wait" + state.substr(5) : state;
}

}  // namespace

std::string standing_line(const names::ProgramInfo& program, const std::vector<chip::TileWait>& waits) {
  std::string line;
  for (const auto& [state, tiles] : groups_of(waits, [](const chip::TileWait& wait) { return wait.state; })) {
    line += fmt::format("{}{} {}", line.empty() ? "" : "; ", tiles.size(), doing(state, tiles.size()));
    if (state != "computing") continue;
    std::vector<chip::TileWait> computing;
    for (const chip::TileWait& wait : waits)
      if (wait.state == state) computing.push_back(wait);
    const Groups places = groups_of(computing, [&](const chip::TileWait& wait) { return place_of(program, wait); });
    if (!places.front().first.empty()) line += (places.size() == 1 ? " " : ", most ") + places.front().first;
  }
  return line;
}

std::vector<std::string> standing_lines(const names::ProgramInfo& program, const std::vector<chip::TileWait>& waits) {
  std::vector<std::string> lines;
  const Groups groups = groups_of(waits, [&](const chip::TileWait& wait) {
    const std::string place = place_of(program, wait);
    return place.empty() ? wait.state : wait.state + " " + place;
  });
  for (const auto& [what, tiles] : groups)
    lines.push_back((tiles.size() == 1 ? "tile " : "tiles ") + text(TileSet{false, tiles}) + " " +
                    doing(what, tiles.size()));
  return lines;
}

}  // namespace tessera::inspect::progress
