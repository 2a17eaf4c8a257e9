// The lowered program: what the tiles must hold and do, step by step, in terms of blocks (block.h). lower_programs()
// makes it; the later passes add to it, each filling the members that name it. Plain data, no tensor views any more.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "compiler/passes/block.h"
#include "compiler/passes/exchange_traffic.h"

namespace tessera::compiler {

constexpr std::uint32_t kNone = 0xffffffff;

// Contiguous bytes to be moved; source and target may be on one tile or on two.
struct Move {
  Place source, target;
  std::uint32_t bytes = 0;
};

// `count` runs of `bytes` bytes on one tile, the k-th from source + k * source_step to target + k * target_step.
struct LocalCopy {
  Place source, target;
  std::uint32_t bytes = 0;
  std::uint32_t count = 1;
  std::int32_t source_step = 0, target_step = 0;
};

// Copies of one tile that may be made in any order, [first, last) of a LocalCopies.
struct LocalCopies {
  std::vector<LocalCopy> copies;     // by tile
  std::vector<std::uint32_t> first;  // per tile, one entry more at the end
  std::vector<BlockId> tables;       // emit_state(): per tile: six heads for the copy routine, kNone: done in line
};

// Moves that happen together: local copies, one exchange phase, local copies. None reads what another writes.
struct Exchange {
  std::string name;
  std::vector<Move> moves;            // lower_programs()
  std::uint32_t step = kNone;         // of the buffers it uses
  LocalCopies before, after;          // plan_exchange()
  Traffic traffic;                    // plan_exchange()
  Schedule schedule;                  // schedule_exchange()
  std::vector<BlockId> event_blocks;  // emit_state(): per tile: its event list, kNone: it has none
};

// A piece of an edge: what one pointer of the vertex state points at.
struct Region {
  Place at{};
  std::uint32_t elements = 0;
  std::uint32_t field = 0;
  std::uint32_t index = 0;  // entry of a list field, else 0
  // Where its elements come from: the variable, kNone when there are several; and its element that is first, if those
  // of the region follow one another there.
  std::uint32_t variable = kNone;
  std::uint64_t first_element = names::Field::kGathered;
};

// Elements of a vector that is state.
struct StateArray {
  Place at{};
  std::uint32_t bytes = 0;
};

constexpr std::uint32_t kAllWorkers = 6, kSupervisorWorker = 7;

struct LoweredVertex {
  graph::VertexId id = 0;
  Place state{};
  std::uint32_t first_region = 0, regions = 0;  // of Lowered::regions, by field, then index
  std::uint32_t cost = 0;                       // estimate, in elements
  std::uint32_t worker = 0;                     // assign_workers(): 0..5, kAllWorkers or kSupervisorWorker
};

// Lists for the worker start routine (docs/reference/codelet-abi.md): `rounds` times six, `stride` bytes apart.
struct WorkerTable {
  BlockId block = kNone;  // kNone: no vertices for workers
  std::uint32_t stride = 0;
  std::uint32_t rounds = 0;
  bool single = false;  // only worker 0 has vertices
};

struct Compute {
  graph::ComputeSetId id = 0;
  std::vector<LoweredVertex> vertices{};  // by tile
  std::vector<std::uint32_t> first{};     // per tile, one entry more at the end
  std::uint32_t gather = kNone;           // exchange before it
  std::uint32_t scatter = kNone;          // exchange after it
  std::vector<WorkerTable> tables{};      // emit_state(): per tile
};

// Words between one tile and host memory.
struct HostRun {
  Place at;  // 4-aligned
  std::uint32_t host_offset = 0;
  std::uint32_t words = 0;
};

// One transfer of image::HostLayout::streams[same index].
struct HostTransfer {
  std::vector<HostRun> runs;         // by tile, each at most kMaxPacketWords words
  std::vector<std::uint32_t> first;  // per tile, one entry more at the end
  LocalCopies after;                 // to device: pieces that do not cover whole words, from their staging buffers
  std::vector<BlockId> tables;       // emit_state(): per tile: requests or packet descriptions, kNone: no runs
};
constexpr std::uint32_t kMaxPacketWords = 256;

enum class StepKind : std::uint8_t {
  kCompute,  // index: of computes; flag: where to put the conjunction of all results (if has_flag)
  kCopy,     // index: of exchanges
  kHost,     // index: of streams and host_transfers
  kRepeat,   // count; bodies: body
  kWhile,    // flag, sense; bodies: condition, body
  kIf,       // flag; bodies: then, else
  kSwitch,   // cases; index: exchange that brings the selector to all tiles; selectors; bodies: one a case, otherwise
  kCall,     // index: of functions
  kSync,     // of all tiles; index: the zone
};

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
  std::vector<BlockId> selectors{};     // per tile: a word
  std::vector<std::uint32_t> bodies{};  // of Lowered::bodies
};

using Body = std::vector<Step>;

// Bytes that stand somewhere when the program is loaded; what nothing names is zero.
struct Content {
  Place at;
  std::vector<std::uint8_t> bytes;
};

// A word that holds the address of a place.
struct Pointer {
  Place at, value;
};

struct Lowered {
  std::uint32_t tiles = 0;
  std::vector<Block> blocks;
  std::vector<Exchange> exchanges;
  std::vector<Compute> computes;
  std::vector<Region> regions;
  std::vector<StateArray> state_arrays;  // emit_state(): in order of computes, vertices, fields
  std::vector<HostTransfer> host_transfers;
  image::HostLayout host;
  std::vector<image::ProgramEntry> programs;
  std::vector<std::uint32_t> program_bodies;  // per program: its body
  std::vector<std::uint32_t> functions;       // graph function -> body, kNone if nothing calls it
  std::vector<Body> bodies;
  std::vector<Content> contents;
  std::vector<Pointer> pointers;
  std::vector<BlockId> stacks;  // emit_state(): per tile: six worker stacks, then the supervisor's
  std::vector<std::pair<graph::VariableId, BlockId>> variable_blocks;  // in order of placement
  std::uint32_t steps_with_buffers = 0;                                // values of Block::step are below
};

BlockId add_block(Lowered& lowered, const Block& block);

// Textual dumps, one line a thing. Places are written as tile:block+offset.
std::string dump(const Lowered& lowered, const graph::Graph& graph);          // steps, moves, vertices, host transfers
std::string dump_workers(const Lowered& lowered, const graph::Graph& graph);  // which worker runs which vertex
std::string dump_plans(const Lowered& lowered);                               // copies and transfers of each exchange
std::string dump_contents(const Lowered& lowered);                            // contents and pointers

}  // namespace tessera::compiler
