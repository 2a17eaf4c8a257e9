// What is asked of a run under inspection: docs/reference/inspection.md. One text form serves the command line of
// tessera-machine (--inspect), the variable TESSERA_INSPECT, the API and the debugger's monitor commands:
//   key=value;key=value ...   for example  waves=out.fst;wave-tiles=3,7-9;wave-from=superstep:10;wave-for=2
// Spaces around keys and values do not count; a value holds no ';'; a key is given once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/spec/tile_id.h"

namespace tessera::inspect {

struct BadOption : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "all", or numbers and ranges: "3,7-9" of chip 0, "1:3-5" of chip 1.
struct TileSet {
  bool all = true;
  std::vector<spec::TileId> tiles;  // ascending, unless all

  bool has(spec::TileId tile) const;
  // Those of one chip, by their numbers on it. Throws BadOption naming a chip that the system lacks, or a tile that the
  // machine lacks.
  std::vector<unsigned> of(unsigned machine_tiles, const spec::ChipPlace& place = {}) const;
  bool operator==(const TileSet&) const = default;
};
TileSet parse_tiles(const std::string& text);  // throws BadOption
std::string text(const TileSet&);

// When a window begins. A window that begins by an event begins with the superstep in which the event lies.
//   superstep:N (or N)   cycle:N   exception   pc:ADDRESS|SYMBOL   vertex:NAME (codelet, or its entry symbol)
//   address:ADDRESS (a write there)   sync:TILE (that tile requests a sync; sync:1:3 is tile 3 of chip 1)
struct Trigger {
  enum class Kind { kSuperstep, kCycle, kException, kPc, kVertex, kAddress, kSync } kind = Kind::kSuperstep;
  uint64_t number = 0;  // superstep, cycle, pc, address, tile
  std::string name{};   // symbol, vertex; then `number` is not used
  uint32_t chip = 0;    // of the tile
  bool operator==(const Trigger&) const = default;
};
Trigger parse_trigger(const std::string& text);  // throws BadOption
std::string text(const Trigger&);

// How long a window lasts: "N" supersteps, "Nc" cycles, "all".
struct Length {
  enum class Kind { kSupersteps, kCycles, kAll } kind = Kind::kAll;
  uint64_t number = 0;
  bool operator==(const Length&) const = default;
};
Length parse_length(const std::string& text);  // throws BadOption
std::string text(const Length&);

struct Window {
  TileSet tiles;
  Trigger from;
  Length length;
  bool operator==(const Window&) const = default;
};

struct Options {
  // waves, wave-tiles, wave-from, wave-for, wave-depth (architecture|all; all: RTL only, every signal of the tile)
  std::string waves;  // path of the FST; empty: none
  Window wave_window;
  bool wave_all_signals = false;
  // rtl-window: true|false; the model runs what is outside the window of waves or trace, the RTL what is inside (rtl
  // only)
  bool rtl_window = false;
  // fabric: rtl or engine, what joins the tiles of the RTL (backends rtl and lockstep); empty: the usual
  std::string fabric;
  // trace, trace-tiles, trace-from, trace-for, trace-registers (true: register values too)
  std::string trace;
  Window trace_window;
  bool trace_registers = false;
  // gdb ([HOST:]PORT, port 0: any free one), gdb-tiles, gdb-halt (true: stands before the first instruction), gdb-file
  // (path: the port is written there when the server listens)
  std::string gdb;
  TileSet gdb_tiles;
  bool gdb_halt = false;
  std::string gdb_file;
  // on-failure: folder for report.txt, failure.fst, failure.gtkw and failure.trace of the last supersteps
  std::string on_failure;
  // failure-supersteps: how many are replayed into them
  uint64_t failure_supersteps = 2;
  // check: true|false; loads of what nobody has written and accesses of what is not the vertex's end the run
  bool check = false;
  // snapshots: true|false; without them there is no replay, no reverse, and failures are told without their history
  bool snapshots = true;
  // snapshot-every: chip cycles between snapshots, at least; 0: chosen by the machine (recorded_run.h)
  uint64_t snapshot_every = 0;
  // snapshot-memory: MiB that snapshots and journal may hold; the past is thinned out, the further back the more
  uint64_t snapshot_memory = 512;
  // progress: seconds of wall time after which a run tells where it stands, and from then on; 0: never
  uint64_t progress = 0;
  // link-trace: path of a file of the packets on the links of a system (links/link_trace.h)
  std::string link_trace;
  // faults: path of a list of faults to inject (fault_list.h)
  std::string faults;

  bool records() const;  // whether anything here needs a recorded run
  bool operator==(const Options&) const = default;
};

// what() is one line that names the key and the value.
Options parse_options(const std::string& text);
// The same as text, keys in the order above; parse_options(text(o)) == o. Defaults are left out.
std::string text(const Options&);
// Throws BadOption naming a key that does nothing since the one it belongs to is not given: a window of waves without
// waves. For the text that a run is started with, all its sources merged; an empty value ("waves=") is given too.
void check_companions(const std::string& text);
// Throws BadOption naming key and tile where a set of tiles has one that the machine lacks.
void check_tiles(const Options&, unsigned machine_tiles, const spec::ChipPlace& place = {});
// %p in the text is the id of the machine's process, so that several at once leave files of their own.
std::string of_process(const std::string& text, long process);
// b's keys where b gives them, else a's: both in text form.
std::string merge(const std::string& a, const std::string& b);

}  // namespace tessera::inspect
