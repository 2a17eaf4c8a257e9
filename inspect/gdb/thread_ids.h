// Tiles and contexts as gdb names them: tile t is process t + 1, its context c is thread c + 1 of it. A client without
// processes sees threads only, numbered through all tiles.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inspect/gdb/stops.h"

namespace tessera::inspect::gdb {

constexpr unsigned kContextsOfTile = 7;

struct ThreadId {                   // as a packet names it
  std::optional<unsigned> tile;     // none: any, or all
  std::optional<unsigned> context;  // none: any, or all
};
std::optional<ThreadId> parse_thread(std::string_view text, bool processes);
std::string thread_text(Thread thread, bool processes);
// "tile 3 worker 2", "tile 3 supervisor"; of a tile of that name.
std::string thread_name(const std::string& tile, unsigned context);

}  // namespace tessera::inspect::gdb
