// Numbers of the trace file: docs/reference/trace.md is the specification.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/bytes.h"

namespace tessera::inspect::trace {

// A file that is no trace, is damaged, or does not fit this build. what() is one line that names the file.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using formats::ByteReader;
using formats::Bytes;
using formats::DamagedBytes;  // whoever knows the file makes a TraceError of it
using formats::put_low;
using formats::put_signed;
using formats::put_text;
using formats::put_varint;

constexpr std::array<char, 8> kMagic = {'T', 'S', 'R', 'T', 'R', 'A', 'C', 'E'};
constexpr std::array<char, 8> kEndMagic = {'T', 'S', 'R', 'T', 'E', 'N', 'D', 'S'};
constexpr uint32_t kVersion = 4;

enum class RecordKind : uint32_t { kHeader = 1, kProgram = 2, kBlock = 3, kIndex = 4 };

// A tile's events lie in lanes: each is in the order of its cycles, and is decoded without the others.
enum Lane : uint8_t {
  kLaneRetire = 0,  // 0..6: one a context
  kLaneSent = 7,
  kLaneReceived,
  kLaneExchangeWrite,
  kLanePacketOut,
  kLanePacketIn,
  kLanePacketWrite,
  kLaneDebug,
  kLanePorts,     // selected, exchanging, sync and packet requests; of the chip: supersteps, syncs, debug times
  kLaneVertices,  // entered and left
  kLaneExceptions,
};
constexpr unsigned kContexts = 7, kLanes = 17;
constexpr bool is_retire(unsigned lane) { return lane < kContexts; }
constexpr bool is_words(unsigned lane) { return lane >= kLaneSent && lane <= kLaneDebug; }

// What a lane's bytes are gathered into, each compressed by itself.
enum Section : uint8_t {
  kSectionSizes,   // of every lane's bytes in the sections below
  kSectionText,    // instructions that tiles executed for the first time
  kSectionRetire,  // where predictions failed
  kSectionStores,  // bytes stored
  kSectionRegisters,
  kSectionRuns,   // of words
  kSectionWords,  // their data
  kSectionEvents,
};
constexpr unsigned kSections = 8;

// Which chip and cycles a block is about, and what is in it.
struct BlockInfo {
  uint32_t chip = 0;
  uint64_t first_superstep = 0, last_superstep = 0;
  uint64_t first_cycle = 0, end_cycle = 0;
  uint64_t keep_from = 0, keep_to = ~0ull;  // the window of the trace: events of other cycles are to be skipped
  uint64_t retired = 0;                     // records held, all tiles
};

// How the run ended, for a file that is whole.
struct EndInfo {
  uint64_t cycle = 0;       // chip cycle when the file was closed
  uint64_t supersteps = 0;  // internal acknowledgements up to then
};

struct ChipHeader {
  uint32_t chip = 0;                                            // its id in the system
  std::string machine;                                          // name
  std::vector<std::pair<std::string, uint32_t>> machine_lines;  // spec::machine_fields
  uint64_t machine_hash = 0;
  std::vector<uint32_t> tiles;  // traced, by their numbers on the chip, ascending
};

struct Header {
  uint64_t instruction_table_hash = 0;
  bool registers = false;         // whether register values are in it
  uint32_t chips_of_system = 1;   // traced or not
  std::vector<ChipHeader> chips;  // traced, by id
};

}  // namespace tessera::inspect::trace
