// One event of a trace, as readers see it: what a chip::Observer is told, and which vertex was entered and left.
#pragma once

#include <cstdint>

#include "inspect/trace/format.h"
#include "inspect/trace/reads.h"
#include "sim/port/chip.h"

namespace tessera::inspect::trace {

enum class EventKind : uint8_t {
  kRetire,         // retire
  kSent,           // value
  kReceived,       // value, address: source tile
  kExchangeWrite,  // value, address
  kPacketOut,      // value, flag: last
  kPacketIn,       // value, flag: first
  kPacketWrite,    // value, address
  kDebugWritten,   // value, address, context, space
  kSelected,       // address: source tile, chip::kNoTile: none
  kExchanging,     // flag: on
  kSyncRequest,    // address: zone, flag: value contributed
  kPacketRequest,
  kEntered,          // context, address: vertex state, value: entry pc
  kLeft,             // the same
  kExcepted,         // context, address: cause, value, from: pc
  kSuperstep,        // from: index of the superstep that ends
  kSyncAcknowledge,  // address: zone, flag: consensus, value: mark, from: last request, to: phase start
  kHostSync,
  kDebugTime,  // to: cycle behind the accesses
};
constexpr unsigned kEventKinds = static_cast<unsigned>(EventKind::kDebugTime) + 1;

struct Event {
  uint64_t cycle = 0;
  uint32_t tile = 0;  // chip::kNoTile: of the chip, or of all tiles
  uint8_t lane = 0;
  EventKind kind = EventKind::kRetire;
  uint8_t context = 0;
  chip::DebugSpace space = chip::DebugSpace::kMemory;
  bool flag = false;
  uint32_t value = 0, address = 0;
  uint64_t from = 0, to = 0;
  chip::Retire retire;
  Reads reads;  // of an instruction
};

// Tells an observer; entered and left, which no observer knows, are left out.
void tell(const Event&, chip::Observer&);

}  // namespace tessera::inspect::trace
