// What the compiler hands to the runtime: everything to load and run on the chips of a system, and to explain what went
// wrong there. Plain data. The conventions between control code and host are docs/reference/control.md, the file form
// docs/reference/image.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/block.h"
#include "compiler/ir/stream.h"
#include "program/program_info.h"

namespace tessera::image {

// Words to be put in tile memory. Memory that no segment names is zero (the chip is reset before a load).
struct Segment {
  std::uint32_t address = 0;  // bytes, a multiple of 4
  std::vector<std::uint32_t> words;
};

struct TileImage {
  std::uint32_t entry = 0;          // supervisor pc to start at
  std::uint32_t group = 0;          // of ChipImage::groups, from 1 on; 0: in none
  std::vector<Segment> segments{};  // beside the shared ones and those of the group, ascending, none overlaps another
};

// Program n is run by answering the pending host sync with mark n + 1.
struct ProgramEntry {
  std::string name;       // of a user's program: "" ; of an internal one: what it does
  bool internal = false;  // made by the compiler for a host read or write handle; stands behind all users' programs
  std::vector<std::string> streams{};         // of a user's program: handles that it can copy from or to, ascending
  std::vector<std::string> host_functions{};  // of a user's program: those that it may call, ascending
};

// Transfers of a stream that its callback may be asked ahead for.
struct Buffering {
  std::string handle;
  std::uint32_t depth = 1;
};

struct HostFunction {
  std::string handle;
  std::vector<std::uint64_t> input_bytes, output_bytes;
};

// An option that it was compiled with.
struct Setting {
  std::string name, value;
};

// The tiles' events: the program is done, or a phase of HostLayout::phases.
using ir::HostLayout;
using ir::HostPiece;
using ir::is_to_device;
using ir::RemoteBuffer;
using ir::Stream;
using ir::StreamUse;

constexpr std::uint32_t kEventDone = 0;
constexpr std::uint32_t event_of(std::uint32_t phase) { return 1 + phase; }

// What several tiles are loaded with, and others are not: text that the others have no use for, and no room.
struct SegmentGroup {
  std::vector<Segment> segments;
};

// Bytes of one tile's memory by what they hold.
struct TileUsage {
  std::uint64_t text = 0;       // codelets and device library, of them what the tile's vertices may come to
  std::uint64_t control = 0;    // control code
  std::uint64_t events = 0;     // exchange event lists
  std::uint64_t variables = 0;  // variables and constants
  std::uint64_t vertices = 0;   // vertex state, edge lists, worker lists
  std::uint64_t buffers = 0;    // gathered inputs, scattered outputs, packets
  std::uint64_t stacks = 0;
  std::uint64_t total = 0;      // of these, and what the device's code keeps at the top
  std::uint64_t available = 0;  // memory of the tile
  // All but what lives always is of the point of the program at which the most is live.
  std::uint64_t always_live = 0, not_always_live = 0;
  std::string peak{};  // what happens there: a step's name, with its phase
};

// Memory that is live while a step runs, beside what lives always.
struct LiveMemory {
  std::string step;                          // its name
  std::uint64_t variables = 0, buffers = 0;  // bytes on all tiles
  std::uint64_t most = 0;                    // of both, on the tile that has the most
  std::uint32_t tile = 0;                    // that tile, the lowest of several
};

// An exchange phase of the program: of copies, or of what a compute set reads and writes.
struct Phase {
  std::string name;
  std::uint32_t cycles = 0;  // from the start of the phase to its end, on every tile
  std::uint64_t words = 0;   // sent by all tiles together
  std::uint32_t tiles = 0;   // that send or receive
};

// What one chip of the system is loaded with. Tiles, here and in `info`, are tiles of that chip.
struct ChipImage {
  std::string machine;                // name of the machine description
  std::uint64_t machine_hash = 0;     // of its numbers
  std::vector<Segment> shared;        // the same on all tiles: written once to all of them
  std::vector<SegmentGroup> groups;   // written over it on the tiles that say so
  std::vector<TileImage> tiles;       // one per tile of the machine
  std::vector<TileUsage> usage;       // one per tile
  names::ProgramInfo info;            // names of everything; without a title
  std::vector<std::uint32_t> prints;  // tiles with a codelet that may come to printf, ascending
  std::vector<Phase> phases;          // those with traffic, in the order of the compiler
  std::vector<LiveMemory> live;       // of the steps that have such, in the program's order
};

// A word of tile memory that differs by replica: written over what the segments have put there.
struct ReplicaWord {
  std::uint32_t chip = 0, tile = 0;   // of one replica
  std::uint32_t address = 0;          // a multiple of 4
  std::vector<std::uint32_t> values;  // by replica
};

// Chip c of replica r is chip r * chips.size() + c of the device.
struct Executable {
  std::vector<ChipImage> chips = std::vector<ChipImage>(1);  // of one replica, by id
  std::uint32_t replicas = 1;
  bool replica_syncs = false;              // chips of a replica meet by themselves (sync 7)
  bool replica_hosts = false;              // and the host answers each replica by itself
  std::vector<ReplicaWord> replica_words;  // by chip, tile and address; none with one replica
  std::vector<ProgramEntry> programs;
  HostLayout host;  // of one replica: those of the others follow, each at a multiple of replica_stride()
  std::vector<Buffering> buffering;          // of streams with that option, by handle
  std::vector<std::string> broadcasts;       // streams of which all replicas get the same, by handle
  std::vector<RemoteBuffer> remote_buffers;  // in the order of the graph; without `base`: in host memory
  std::vector<HostFunction> host_functions;  // in the order of the graph
  std::vector<Setting> settings;             // by name
  std::string out_of_memory;                 // not empty: why it cannot be loaded; tiles have their usage alone

  // Bytes of host memory from what one replica has to what the next one has.
  std::uint64_t replica_stride() const { return ir::round_up(host.bytes, 4096); }

  // Of one that is for one chip.
  ChipImage& chip() { return chips.at(0); }
  const ChipImage& chip() const { return chips.at(0); }
};

constexpr std::uint32_t kAllTiles = ~0u;

// Calls visit(tile or kAllTiles, segment) for all that is to be loaded, in that order: a later one may write over words
// of an earlier one.
template <class Visit>
void for_each_segment(const ChipImage& chip, const Visit& visit) {
  for (const Segment& segment : chip.shared) visit(kAllTiles, segment);
  for (std::uint32_t tile = 0; tile < chip.tiles.size(); ++tile) {
    if (const std::uint32_t group = chip.tiles[tile].group; group != 0)
      for (const Segment& segment : chip.groups[group - 1].segments) visit(tile, segment);
    for (const Segment& segment : chip.tiles[tile].segments) visit(tile, segment);
  }
}

// Sizes of everything and what each tile uses, one line a thing.
std::string dump(const Executable& executable);

}  // namespace tessera::image
