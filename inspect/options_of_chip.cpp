#include "inspect/options_of_chip.h"

#include <utility>

namespace tessera::inspect {
namespace {

// The option `key`, a file that shows `tiles`, of a chip that stands in a system of several.
std::string file_of(const std::string& options, const std::string& key, const std::string& tiles_key,
                    const TileSet& tiles, const spec::ChipPlace& place) {
  bool several = tiles.all;
  for (const spec::TileId& tile : tiles.tiles) several |= tile.chip != tiles.tiles.front().chip;
  if (several)
    throw BadOption("inspection option '" + key + "' is for tiles of one chip, and the system has " +
                    std::to_string(place.chips) + ": name them with " + tiles_key + "=CHIP:FIRST-LAST");
  return !tiles.tiles.empty() && tiles.tiles.front().chip != place.chip ? merge(options, key + "=") : options;
}

}  // namespace

std::string of_chip(const std::string& text, const spec::ChipPlace& place) {
  if (place.chips == 1) return text;
  const Options options = parse_options(text);
  const std::pair<bool, const char*> alone[] = {{!options.gdb.empty(), "gdb"},
                                                {options.check, "check"},
                                                {options.rtl_window, "rtl-window"},
                                                {options.wave_all_signals, "wave-depth=all"}};
  for (const auto& [given, key] : alone)
    if (given)
      throw BadOption(std::string("inspection option '") + key + "' is for systems of one chip; this one has " +
                      std::to_string(place.chips));
  std::string mine = text;
  if (!options.waves.empty()) mine = file_of(mine, "waves", "wave-tiles", options.wave_window.tiles, place);
  if (!options.trace.empty()) mine = file_of(mine, "trace", "trace-tiles", options.trace_window.tiles, place);
  if (!options.on_failure.empty())
    mine = merge(mine, "on-failure=" + options.on_failure + "/chip" + std::to_string(place.chip));
  return mine;
}

}  // namespace tessera::inspect
