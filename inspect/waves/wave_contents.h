// What a save file is made from where there is nothing but the waves.
#pragma once

#include <optional>
#include <string>

#include "inspect/waves/save_file.h"

namespace tessera::inspect::waves {

// The FST's tiles, depth, times, supersteps with their names, and where to look first; `ended_for` as in save_file.h.
// Throws std::runtime_error, one line.
SaveFile contents_of(const std::string& fst, const std::optional<spec::TileId>& ended_for);

}  // namespace tessera::inspect::waves
