// Tiles that do the same thing, told together: in reports, in what a run says of itself, and where it was stopped.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rtl/spec/tile_id.h"
#include "sim/port/chip.h"

namespace tessera::inspect {

struct TileGroup {
  std::string what;             // that `key` says of each
  std::vector<unsigned> tiles;  // ascending
};
// The most first; of equal ones the lowest first.
std::vector<TileGroup> group_tiles(const std::vector<chip::TileWait>&,
                                   const std::function<std::string(const chip::TileWait&)>& key);
// "tiles 2-3 wait at internal sync", "tile 2 waits at internal sync"
std::string text(const TileGroup&, const spec::ChipPlace& place = {});
// What so many tiles do: "2: wait at internal sync", "1: waits ..."
std::string doing(const std::string& what, size_t tiles);
// "tile 4", "tiles 1-3 and 7"; more than a dozen ranges are counted only.
std::string tile_list(std::vector<unsigned> tiles, const spec::ChipPlace& place = {});

}  // namespace tessera::inspect
