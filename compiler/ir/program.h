// The program between graph and tiles: a list of supersteps for each body, in terms of blocks (block.h). Plain data: no
// tensor views any more, nothing of hardware yet. It prints as text and is read back from it (text.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/codelet_info.h"
#include "compiler/ir/block.h"
#include "compiler/ir/stream.h"
#include "compiler/ir/tile_index.h"

namespace tessera::ir {

// Contiguous bytes to be moved; source and target may be on one tile or on two.
struct Move {
  Place source, target;
  std::uint32_t bytes = 0;
  std::uint32_t lane = kNone;  // of the exchange: between replicas
  bool operator==(const Move&) const = default;
};

// Which replicas send to which, and how many bytes behind a move's places theirs are: multiples of 4, by sending
// replica, empty where all are 0.
struct Lane {
  std::vector<std::uint32_t> to;  // by sending replica; itself: nobody, unless all stay inside. None gets from two
  std::vector<std::uint32_t> source_shift{}, target_shift{};

  std::uint32_t most_source_shift() const { return most(source_shift); }
  std::uint32_t most_target_shift() const { return most(target_shift); }
  // Every replica sends to itself: its moves are copies inside the tiles.
  bool stays_inside() const;
  // Whether there are bytes that a move may write which are not written in every replica.
  bool keeps_some() const;
  bool operator==(const Lane&) const = default;

 private:
  static std::uint32_t most(const std::vector<std::uint32_t>& shifts) {
    return shifts.empty() ? 0 : *std::max_element(shifts.begin(), shifts.end());
  }
};

// Moves that happen together, the exchange phase of a superstep. None reads what another writes.
struct Exchange {
  std::string name;
  std::vector<Move> moves;
  std::uint32_t parts = 1;    // exchanges of which it was made
  std::vector<Lane> lanes{};  // between replicas
};

// What a move reads, in some replica, and what it may write.
Span read_by(const Exchange& exchange, const Move& move);
Span written_by(const Exchange& exchange, const Move& move);
// Whether it does not write all of that in all replicas.
bool keeps_some(const Exchange& exchange, const Move& move);

// A piece of an edge: what one pointer of the vertex state points at.
struct Region {
  Place at{};
  std::uint32_t elements = 0;
  std::uint32_t element_bytes = 0;
  graph::FieldKind access = graph::FieldKind::kInput;
  bool given = false;  // an output of what a copy has given a value: the vertex may mean to read it
  std::uint32_t field = 0;
  std::uint32_t index = 0;  // entry of a list field, else 0
  // Where its elements come from: the variable, kNone when there are several; and its element that is first,
  // names::Field::kGathered if those of the region do not follow one another there.
  std::uint32_t variable = kNone;
  std::uint64_t first_element = names::Field::kGathered;
};

constexpr std::uint32_t kAllWorkers = 6, kSupervisorWorker = 7;

struct Vertex {
  std::uint32_t id = 0;  // of the graph
  std::uint32_t tile = 0;
  std::uint32_t codelet = 0;
  graph::CodeletKind kind = graph::CodeletKind::kVertex;
  Place state{};
  std::uint32_t first_region = 0, regions = 0;  // of Program::regions, by field, then index
  std::uint32_t cost = 0;                       // elements; after estimate_costs() slots of a worker
  std::uint32_t worker = kNone;                 // assign_workers(): 0..5, kAllWorkers or kSupervisorWorker
};

// The vertices of a compute set. Exchanges of their own bring inputs and take outputs, as steps before and after it.
struct Compute {
  std::uint32_t id = 0;  // compute set of the graph
  std::string name{};
  std::vector<Vertex> vertices{};  // by tile
  TileIndex of_tile{};             // of vertices
};

// Words between one tile and host memory, or the memory of a gateway.
struct HostRun {
  Place at;                       // 4-aligned
  std::uint32_t host_offset = 0;  // of a remote buffer in a gateway: bytes from the beginning of the row, 4-aligned
  std::uint32_t words = 0;
  std::uint32_t row = 0;  // likewise: of the rows of the tile (RemoteRows), the number
};
constexpr std::uint32_t kMaxPacketWords = 256;

// Which rows of a remote buffer in a gateway's memory a transfer is of.
struct RemoteRows {
  std::uint32_t buffer = kNone;  // of Program::remote_buffers
  // By tile with runs, in their order: a word for each of its rows, with the row's number in the buffer, which an
  // exchange has brought. Empty: all are of row 0.
  std::vector<Span> numbers{};
  // From the device: each tile waits until what it has written is there.
  bool confirmed = false;
  bool in_gateway() const { return buffer != kNone; }
};

// One transfer of Program::host.streams[same index].
struct HostTransfer {
  std::vector<HostRun> runs;  // by tile, each at most kMaxPacketWords words
  TileIndex of_tile;          // of runs
  std::vector<Move> after;    // to device: pieces that do not cover whole words, from their staging buffers
  RemoteRows remote{};        // in_gateway(): of a step kRemote, else of one kHost
};

enum class StepKind : std::uint8_t {
  kCompute,  // index: of computes; flag: where to put the conjunction of all results (if has_flag)
  kCopy,     // index: of exchanges
  kHost,     // transfers: one host phase
  kRepeat,   // count; bodies: body
  kWhile,    // flag, sense; bodies: condition, body
  kIf,       // flag; bodies: then, else
  kSwitch,   // cases; index: exchange that brings the selector to all tiles; selectors; bodies: one a case, otherwise
  kCall,     // index: of functions
  kSync,     // of all tiles; index: the zone
  kUndef,    // nothing happens: what `undefined` names is not read before it is written again
  kPackets,  // index: of exchanges; every move goes to another chip
  kRemote,   // transfers: from and to the memory of a gateway, in that order where they are of one buffer
};

// A superstep, or control flow over bodies of them.
struct Step {
  StepKind kind = StepKind::kCopy;
  std::string name{};
  std::uint32_t index = 0;
  std::uint32_t count = 0;
  bool has_flag = false;
  Place flag{};  // one element
  graph::ElementType flag_type = graph::ElementType::kBool;
  bool sense = true;
  std::vector<std::int32_t> cases{};
  std::vector<BlockId> selectors{};     // by tile, of all tiles: a word
  std::vector<std::uint32_t> bodies{};  // of Program::bodies
  std::vector<Span> undefined{};        // kUndef
  // kHost: of host.streams and host_transfers, in the order in which the host takes part in them. All data from the
  // device leaves before any to it arrives. kRemote: likewise of both, and the host takes no part.
  std::vector<std::uint32_t> transfers{};
  bool operator==(const Step&) const = default;
};

using Body = std::vector<Step>;

// Bytes that stand somewhere when the program is loaded; what nothing names is zero.
struct Content {
  Place at;
  std::vector<std::uint8_t> bytes;
};

// Bytes that stand there when the program is loaded and differ by replica: written over the contents.
struct ReplicaContent {
  Place at;
  std::vector<std::vector<std::uint8_t>> bytes;  // by replica, all equally many
};

struct Entry {
  std::string name;       // of a user's program: "" ; of an internal one: what it does
  bool internal = false;  // made by the compiler for a host read or write handle
  std::uint32_t body = 0;
};

struct Program {
  std::uint32_t tiles = 0;     // of all chips of one replica
  std::uint32_t chips = 1;     // of one replica, all with equally many tiles
  std::uint32_t replicas = 1;  // that run the program
  bool replica_syncs = false;  // chips of one replica meet by themselves where nothing concerns others
  bool replica_hosts = false;  // and the host answers each replica by itself
  Blocks blocks;
  std::vector<Exchange> exchanges;
  std::vector<Compute> computes;
  std::vector<Region> regions;
  std::vector<HostTransfer> host_transfers;
  HostLayout host;
  std::vector<RemoteBuffer> remote_buffers;  // in the memory of gateways; empty: the host has those of the graph
  std::vector<Entry> entries;
  std::vector<std::uint32_t> functions;  // graph function -> body, kNone if nothing calls it
  std::vector<Body> bodies;
  std::vector<Content> contents;
  std::vector<ReplicaContent> replica_contents;

  std::uint32_t tiles_of_chip() const { return tiles / chips; }
  std::uint32_t chip_of(std::uint32_t tile) const { return chips == 1 ? 0 : tile / tiles_of_chip(); }
  bool crosses_chips(const Move& move) const {
    return chip_of(blocks[move.source.block].tile) != chip_of(blocks[move.target.block].tile);
  }
};

}  // namespace tessera::ir
