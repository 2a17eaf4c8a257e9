// The architectural signals, from signals.def: what a wave holds, how GTKWave shows it, and by which names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl/spec/tile_id.h"

namespace tessera::inspect::waves {

enum class Shown : uint8_t { Text, Hex, Decimal, Binary, Single };
enum class Names : uint8_t { None, States, Zones, Tiles, Causes, Contexts, Registers, Flags, Instructions };

struct Signal {
  const char* name;
  unsigned bits;  // 0: text
  Shown shown;
  Names names;
  int color;
};
struct Scope {
  const char* name;   // "": the tile's own
  const char* title;  // of its group
  bool closed;        // the group, at first
  std::vector<Signal> signals;
};

constexpr unsigned kContexts = 7;  // 0 supervisor, 1..6 workers

enum class TileSignal : unsigned {
#define TILE_SIGNALS
#define SCOPE(id, name, title, closed)
#define SIGNAL(id, name, bits, shown, names, color) id,
#include "inspect/waves/signals.def"
#undef SIGNAL
#undef SCOPE
#undef TILE_SIGNALS
  kCount
};
enum class ContextSignal : unsigned {
#define CONTEXT_SIGNALS
#define SIGNAL(id, name, bits, shown, names, color) id,
#include "inspect/waves/signals.def"
#undef SIGNAL
#undef CONTEXT_SIGNALS
  kCount
};
constexpr unsigned kTileSignals = static_cast<unsigned>(TileSignal::kCount);
constexpr unsigned kContextSignals = static_cast<unsigned>(ContextSignal::kCount);
// A tile's signals are numbered: its own, then context after context.
constexpr unsigned kSignalsOfTile = kTileSignals + kContexts * kContextSignals;
constexpr unsigned number_of(TileSignal signal) { return static_cast<unsigned>(signal); }
constexpr unsigned number_of(unsigned context, ContextSignal signal) {
  return kTileSignals + context * kContextSignals + static_cast<unsigned>(signal);
}

// Scopes of a file: a chip's, a tile's within it, and both: "chip0", "tile3", "chip0.tile3".
std::string chip_scope(uint32_t chip);
std::string tile_scope(uint32_t tile);
std::string scope_of(spec::TileId tile);

// Scopes of a tile with their signals, in the order of the numbers: "", sync, exchange, host, exception, supervisor,
// worker0 .. worker5.
const std::vector<Scope>& tile_scopes();

// The values that Register and Base have: x0..x31, f0..f31, and none.
constexpr unsigned kNoRegister = 64;

// What a tile does: values of TileSignal::State.
enum class State : uint8_t {
  kHalted,
  kComputing,
  kWaitsLocal,  // for its workers
  kWaitsExchange,
  kExchanging,
  kWaitsInternal,
  kWaitsExternal,
  kWaitsHost,
  kWaitsReceive,
  kSending,  // waits to send a packet, or sends it
  kExcepted,
  kWaitsReplica,
};

// Code and name of everything in a table, as GTKWave's translation files have it: the code in the base in which the
// signal is shown, a name that may begin with ?colour?.
std::vector<std::pair<std::string, std::string>> value_names(Names);
const char* file_of(Names);  // "states", ...

}  // namespace tessera::inspect::waves
