#include "inspect/progress/standing.h"

#include <fmt/format.h>

#include <bit>

#include "inspect/function_name.h"
#include "inspect/tile_groups.h"

namespace tessera::inspect::progress {
namespace {

// What a tile is in: the codelet of its first active worker, and the step of the program.
std::string place_of(const names::ProgramInfo& program, const chip::TileWait& wait) {
  std::string place;
  if (wait.active_workers != 0) {
    const names::Symbol* symbol = program.symbol_at(wait.tile, wait.worker_pc[std::countr_zero(wait.active_workers)]);
    if (symbol != nullptr) place = "in '" + function_name(program, *symbol) + "'";
  }
  // Registers of a tile that runs are not looked at: it may be one of several steps. A supervisor that waits, for its
  // workers too, stands behind the instruction in which it does.
  const names::Step* step = program.step_at(wait.tile, wait.supervisor_pc - 4);
  if (step == nullptr) step = program.step_at(wait.tile, wait.supervisor_pc);
  if (step != nullptr) place += (place.empty() ? "in " : ", ") + program.step_text(step, std::nullopt);
  return place;
}

}  // namespace

std::string standing_line(const names::ProgramInfo& program, const std::vector<chip::TileWait>& waits) {
  std::string line;
  for (const auto& [state, tiles] : group_tiles(waits, [](const chip::TileWait& wait) { return wait.state; })) {
    line += fmt::format("{}{} {}", line.empty() ? "" : "; ", tiles.size(), doing(state, tiles.size()));
    if (state != "computing" && state != "awaits words of the host") continue;
    std::vector<chip::TileWait> placed;
    for (const chip::TileWait& wait : waits)
      if (wait.state == state) placed.push_back(wait);
    const std::vector<TileGroup> places =
        group_tiles(placed, [&](const chip::TileWait& wait) { return place_of(program, wait); });
    if (!places.front().what.empty()) line += (places.size() == 1 ? " " : ", most ") + places.front().what;
  }
  return line;
}

std::vector<std::string> standing_lines(const names::ProgramInfo& program, const std::vector<chip::TileWait>& waits) {
  std::vector<std::string> lines;
  const auto groups = group_tiles(waits, [&](const chip::TileWait& wait) {
    const std::string place = place_of(program, wait);
    return place.empty() ? wait.state : wait.state + " " + place;
  });
  for (const TileGroup& group : groups) lines.push_back(text(group));
  return lines;
}

}  // namespace tessera::inspect::progress
