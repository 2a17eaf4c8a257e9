// GTKWave save files for waves of tiles: groups per tile and context, colours, markers at supersteps, and names instead
// of numbers where a signal holds a code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspect/waves/fabric_signals.h"
#include "rtl/spec/tile_id.h"

namespace tessera::inspect::waves {

struct Marker {
  uint64_t cycle = 0;
  std::string name;
};
constexpr size_t kMarkers = 26;         // GTKWave's, A to Z
constexpr uint64_t kBeforeMarker = 40;  // cycles that are seen before the marker where nothing failed

// What the run ended for. One looks there first: the marker stands at it, its tile and its context are unfolded.
struct Failure {
  uint64_t cycle = 0;
  spec::TileId tile;
  unsigned context = 0;  // 0 supervisor, 1..6 workers
  bool exception = false;
};

struct SaveFile {
  std::string fst;                    // as GTKWave is to find it
  std::string path;                   // of the save file itself
  std::string names_folder;           // of the value name files (write_value_names)
  std::string disassembler;           // path of tessera-disassemble, for wave_all_signals; "": words stay hexadecimal
  std::vector<spec::TileId> tiles;    // with a scope chip<C>.tile<N> each, ascending
  bool all_signals = false;           // of the RTL (wave-depth all), else the architectural ones
  std::optional<FabricShape> fabric;  // all_signals: whose RTL is in the file as well
  uint64_t begin = 0, end = 0;        // cycles
  uint64_t view = 0;                  // where one looks first
  std::vector<Marker> markers;        // at most kMarkers are shown
  std::optional<Failure> failure;     // has a marker of its own
};

std::string text_of(const SaveFile&);
// Every signal that the save file shows, with its scope: "chip0.tile0.sync.zone[3:0]".
std::vector<std::string> shown_signals(const SaveFile&);
// Writes the files that give codes their names, from the tables of signals.h.
void write_value_names(const std::string& folder);

// The request for a save file at `path` ("": the FST's name with .gtkw), with its folder of names beside it.
SaveFile beside(SaveFile, const std::string& fst, const std::string& path);
// The save file and the files of names. Throws std::runtime_error with one line.
void write(const SaveFile&);
// The same for an FST that is whole: tiles, depth, markers and the first exception are read from it. `ended_for`: the
// tile that the run ended for, where that is no exception (a deadlock, a loop without an end). Returns the save file's
// path.
std::string write_save_file(const std::string& fst, const std::string& path = "",
                            const std::optional<spec::TileId>& ended_for = {});

}  // namespace tessera::inspect::waves
