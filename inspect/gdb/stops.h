// Where a debugger wants to stop, and what has been found: breakpoints, watchpoints, steps. All match on records, so
// memory is never patched and nothing in the chip knows of them.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "inspect/gdb/agent_expression.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect::gdb {

struct Thread {  // a context of a tile
  unsigned tile = 0, context = 0;
  auto operator<=>(const Thread&) const = default;
};

// Order of stops in time. A breakpoint lies before its instruction, a watchpoint or the end of a step after it; of one
// cycle the lower tile comes first.
struct Key {
  uint64_t half = 0;  // 2 * cycle, + 1: after the instruction
  unsigned tile = 0;
  auto operator<=>(const Key&) const = default;
  static Key before(uint64_t cycle, unsigned tile) { return {2 * cycle, tile}; }
  static Key after(uint64_t cycle, unsigned tile) { return {2 * cycle + 1, tile}; }
  uint64_t position() const { return (half + 1) / 2; }  // record time of the stop
  uint64_t cycle() const { return half / 2; }           // of the record
};

enum class StopKind : uint8_t {
  kBreak,
  kHardwareBreak,
  kWrite,  // watchpoints
  kRead,
  kAccess,
  kStep,
  kExit,  // the stepping worker has executed exit
  kException,
  kDeadlock,
  kBudget,
  kRefused,  // host or remote memory has refused a packet
  kInterrupt,
  kAttached,
  kReached,  // the goal of run-to
  kBegin     // going back: there is no earlier past
};

struct Found {
  StopKind kind = StopKind::kInterrupt;
  Key key;
  Thread thread;
  uint32_t address = 0;    // of a watchpoint: as it was set
  bool remote = false;     // the memory that has refused a packet
  bool undecided = false;  // whether the breakpoint's conditions hold is not known: to be looked up where it stands
};

struct Watch {
  uint32_t address = 0, bytes = 0;
  bool reads = false, writes = false;
  auto operator<=>(const Watch&) const = default;
};

struct TileStops {
  std::map<uint32_t, Conditions> breaks, hardware_breaks;  // by pc
  std::set<Watch> watches;
  bool empty() const { return breaks.empty() && hardware_breaks.empty() && watches.empty(); }
  bool reads_watched() const {
    for (const Watch& w : watches)
      if (w.reads) return true;
    return false;
  }
  auto operator<=>(const TileStops&) const = default;
};
using Stops = std::map<unsigned, TileStops>;  // by tile; tiles without any are left out

// What a thread is asked to do before it stops.
struct StepWish {
  Thread thread;
  bool range = false;  // until it is about to execute outside [begin, end)
  uint32_t begin = 0, end = 0;
};

}  // namespace tessera::inspect::gdb
