// Where a tile stands in a system: the chip, by its place in the system, and the tile on that chip. Within one chip
// (the Chip interface, its observers, engine, model, RTL) a tile is its number on the chip alone; whatever leaves a
// chip's own world, as a message, file or report, says both.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace tessera::spec {

struct TileId {
  uint32_t chip = 0, tile = 0;
  auto operator<=>(const TileId&) const = default;
};

// How people read and write it: "3", and where the system has several chips "1:3".
inline std::string number_text(TileId id, uint32_t chips) {
  return (chips > 1 ? std::to_string(id.chip) + ":" : std::string()) + std::to_string(id.tile);
}
// In a sentence: "tile 3", and where the system has several chips "chip 1 tile 3".
inline std::string tile_text(TileId id, uint32_t chips) {
  return (chips > 1 ? "chip " + std::to_string(id.chip) + " " : std::string()) + "tile " + std::to_string(id.tile);
}

// Where one chip stands in its system: what whoever looks into that chip needs for the names of its tiles.
struct ChipPlace {
  uint32_t chip = 0, chips = 1;  // its id; how many there are

  TileId operator()(uint32_t tile) const { return {chip, tile}; }
  std::string tile(uint32_t tile) const { return tile_text({chip, tile}, chips); }
  std::string number(uint32_t tile) const { return number_text({chip, tile}, chips); }
};

}  // namespace tessera::spec
