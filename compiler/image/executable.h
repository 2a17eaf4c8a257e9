// What the compiler hands to the runtime: everything to load and run on one machine, and to explain what went wrong
// there. Plain data. The conventions between control code and host are docs/reference/control.md, the file form
// docs/reference/image.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/codelet_info.h"
#include "compiler/graph/program.h"
#include "compiler/graph/types.h"

namespace tessera::image {

// Words to be put in tile memory. Memory that no segment names is zero (the chip is reset before a load).
struct Segment {
  std::uint32_t address = 0;  // bytes, a multiple of 4
  std::vector<std::uint32_t> words;
};

struct TileImage {
  std::uint32_t entry = 0;          // supervisor pc to start at
  std::vector<Segment> segments{};  // beside the shared ones, ascending, none overlaps another
};

// Program n is run by answering the pending host sync with mark n + 1.
struct ProgramEntry {
  std::string name;       // of a user's program: "" ; of an internal one: what it does
  bool internal = false;  // made by the compiler for a host read or write handle
};

enum class StreamUse : std::uint8_t {
  kToDevice,    // FIFO stream, host to device
  kFromDevice,  // FIFO stream, device to host
  kHostWrite,   // Engine::writeTensor by handle: to device
  kHostRead,    // Engine::readTensor by handle: from device
  kPrint,       // PrintTensor: from device; handle is the title
  kAbort,       // no data: the run ends with an application error; handle is the message
};

constexpr bool is_to_device(StreamUse use) { return use == StreamUse::kToDevice || use == StreamUse::kHostWrite; }

// `bytes` bytes at `stream_offset` of the transfer stand at `host_offset` of host memory.
struct HostPiece {
  std::uint64_t stream_offset = 0;
  std::uint32_t host_offset = 0;
  std::uint32_t bytes = 0;
};

// One direction of one handle; its index k makes its events: 1 + 2k (wants data), 2 + 2k (has produced data).
// A stream that the program copies from in several places has one entry per place, all with the same handle.
struct Stream {
  std::string handle;
  StreamUse use = StreamUse::kToDevice;
  graph::ElementType type = graph::ElementType::kFloat;
  std::uint64_t elements = 0;          // of one transfer
  std::uint64_t bytes = 0;             // of one transfer, row-major order of the tensor
  std::vector<std::uint64_t> shape{};  // of the tensor; of interest to kPrint
  std::uint32_t program = 0;           // kHostWrite, kHostRead: index of the internal program
  std::uint32_t host_offset = 0;       // bytes; the buffer of this entry
  std::uint32_t host_bytes = 0;        // of the buffer: may hold gaps
  std::vector<HostPiece> pieces{};  // where each part of a transfer stands, ascending in stream_offset; they cover it
  graph::PrintFormat print{};       // kPrint
};

// Host memory as the tiles see it, host addresses from 0.
struct HostLayout {
  std::uint32_t event_offset = 0;  // of the event word
  std::uint32_t bytes = 0;         // of all of it
  std::vector<Stream> streams;
};

constexpr std::uint32_t kEventDone = 0;
constexpr std::uint32_t event_wants(std::uint32_t stream) { return 1 + 2 * stream; }
constexpr std::uint32_t event_produced(std::uint32_t stream) { return 2 + 2 * stream; }

// A named range of text, the same on every tile.
struct SymbolRange {
  std::uint32_t address = 0, bytes = 0;
  std::string name;
};

struct VertexPlace {
  std::uint32_t tile = 0, address = 0, bytes = 0;  // of its state
  std::uint32_t vertex = 0;                        // id in the graph
  std::uint32_t codelet = 0;                       // index into DebugInfo::codelets
  std::uint32_t compute_set = 0;                   // index into DebugInfo::compute_sets
  std::uint32_t worker = 0;                        // 0..5; 6: all six (MultiVertex); 7: the supervisor
  std::uint32_t first_field = 0, fields = 0;       // of DebugInfo::field_places, in order of the codelet's fields
};

// Data of a field of a vertex, on the vertex's tile: one region of an edge, or a value of state.
struct FieldPlace {
  static constexpr std::uint64_t kGathered = ~std::uint64_t{0};

  std::uint32_t address = 0, bytes = 0;
  std::uint32_t pointer = 0;   // address of the word of the vertex's state that holds `address`; 0: there is none
  std::uint32_t name = 0;      // index into DebugInfo::field_names
  std::uint32_t variable = 0;  // 1 + index into DebugInfo::variables; 0: state, or elements of several variables
  std::uint64_t first_element = kGathered;  // of the variable, when the elements follow one another there
  graph::FieldKind kind = graph::FieldKind::kInput;
  std::uint8_t element_bytes = 0;
};

struct VariablePlace {
  std::uint32_t tile = 0, address = 0, bytes = 0;
  std::uint32_t variable = 0;                           // index into DebugInfo::variables
  std::uint64_t first_element = FieldPlace::kGathered;  // of the variable, when the tile holds one run of elements
};

// Memory of a stack; it grows down.
struct StackPlace {
  std::uint32_t tile = 0, context = 0;  // context 0: supervisor, 1..6: workers
  std::uint32_t address = 0, bytes = 0;
};

// The supervisor of `tile` is in step `step` when its pc is at `pc` or above, below the next entry of the tile.
struct StepPlace {
  std::uint32_t tile = 0, pc = 0;
  std::uint32_t step = 0;  // index into DebugInfo::steps
};

struct DebugInfo {
  std::vector<std::string> codelets, compute_sets, variables;
  std::vector<std::uint8_t> element_bytes;  // of the variables
  std::vector<std::string> field_names;     // "in"; entry 3 of a list: "in[3]"
  std::vector<std::string> steps;           // what the step is, as the user wrote it: "Execute(multiply)", "Copy(a, b)"
  std::vector<SymbolRange> symbols;         // by address
  std::vector<VertexPlace> vertex_places;   // by (tile, address)
  std::vector<FieldPlace> field_places;
  std::vector<VariablePlace> variable_places;  // by (tile, address)
  std::vector<StepPlace> step_places;          // by (tile, pc)
  std::vector<StackPlace> stack_places;        // by (tile, context)
  std::vector<std::uint8_t> elf;  // text of the codelets with symbols and DWARF, linked at its addresses; or empty
};

// Bytes of one tile's memory by what they hold.
struct TileUsage {
  std::uint32_t text = 0;       // codelets and device library, the same on every tile
  std::uint32_t control = 0;    // control code
  std::uint32_t events = 0;     // exchange event lists
  std::uint32_t variables = 0;  // variables and constants
  std::uint32_t vertices = 0;   // vertex state, edge lists, worker lists
  std::uint32_t buffers = 0;    // gathered inputs, scattered outputs, packets
  std::uint32_t stacks = 0;
  std::uint32_t total = 0;      // first to last used byte, whole elements where an element may not be shared
  std::uint32_t available = 0;  // memory of the tile
};

struct Executable {
  std::string machine;             // name of the machine description
  std::uint64_t machine_hash = 0;  // of its numbers
  std::vector<Segment> shared;     // the same on all tiles: written once to all of them
  std::vector<TileImage> tiles;    // one per tile of the machine
  std::vector<ProgramEntry> programs;
  HostLayout host;
  DebugInfo debug;
  std::vector<TileUsage> usage;  // one per tile
};

// Answers of DebugInfo; the returned pointer is null when nothing is there. `tile`, addresses and pcs as the chip
// reports them.
const VertexPlace* find_vertex(const DebugInfo& debug, std::uint32_t tile, std::uint32_t address);
const VariablePlace* find_variable(const DebugInfo& debug, std::uint32_t tile, std::uint32_t address);
const SymbolRange* find_symbol(const DebugInfo& debug, std::uint32_t pc);
const std::string* find_step(const DebugInfo& debug, std::uint32_t tile, std::uint32_t supervisor_pc);

// Sizes of everything and what each tile uses, one line a thing.
std::string dump(const Executable& executable);

}  // namespace tessera::image
