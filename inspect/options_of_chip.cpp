#include "inspect/options_of_chip.h"

#include <filesystem>
#include <utility>

namespace tessera::inspect {
namespace {

// "out.fst" of chip 1: "out.chip1.fst".
std::string file_of_chip(const std::string& path, uint32_t chip) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + ".chip" + std::to_string(chip) + whole.extension().string()))
      .string();
}

// The option `key`, a file that shows `tiles`, of a chip that stands in a system of several.
std::string file_of(const std::string& options, const std::string& key, const std::string& path, const TileSet& tiles,
                    const spec::ChipPlace& place) {
  bool several = tiles.all, mine = tiles.all;
  for (const spec::TileId& tile : tiles.tiles) {
    several |= tile.chip != tiles.tiles.front().chip;
    mine |= tile.chip == place.chip;
  }
  if (!mine) return merge(options, key + "=");
  return several ? merge(options, key + "=" + file_of_chip(path, place.chip)) : options;
}

}  // namespace

std::string of_chip(const std::string& text, const spec::ChipPlace& place) {
  const Options options = parse_options(text);
  if (place.chips == 1) return text;
  std::string mine = text;
  if (!options.waves.empty()) mine = file_of(mine, "waves", options.waves, options.wave_window.tiles, place);
  if (!options.trace.empty()) mine = file_of(mine, "trace", options.trace, options.trace_window.tiles, place);
  if (!options.on_failure.empty())
    mine = merge(mine, "on-failure=" + options.on_failure + "/chip" + std::to_string(place.chip));
  return mine;
}

}  // namespace tessera::inspect
