// One chip, RTL or model: what the system around it, the tests and the tools may do with it. Both backends take the
// same calls and give the same answers, cycle for cycle (docs/reference/tile.md, exchange.md, edge.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "systemc/chip/tile_port.h"

namespace tessera::spec {
struct Machine;
}

namespace tessera::chip {

// Host memory as the chip sees it through its PCIe endpoint. Calls come in chip time order.
class HostBus {
 public:
  virtual ~HostBus() = default;
  // A write packet left the host port at `cycle`.
  virtual void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) = 0;
  // A read packet left at `cycle`: fills `words`, returns the cycle in which the response arrives back at the host
  // port.
  virtual uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) = 0;
};

enum class StopReason {
  kHostSync,   // every tile waits in zone 4 and the edge is drained: answer with mark()
  kException,  // at least one tile excepted and nothing else can move
  kDeadlock,   // nothing can move: see waits()
  kBudget,     // a tile computed for longer than the cycle budget without reaching a sync
  kHalted,     // every tile is halted
  kLimit,      // run()'s cycle limit reached
};

struct Stop {
  StopReason reason = StopReason::kHalted;
  uint64_t cycle = 0;       // host sync: N of exchange.md
  unsigned tile = kNoTile;  // exception, budget: the lowest such tile
};

struct TileWait {  // what a tile is doing, for deadlock and budget reports
  unsigned tile = 0;
  std::string state;  // "computing", "waits at internal sync", ...
  uint32_t supervisor_pc = 0;
  uint8_t active_workers = 0;  // mask
  uint32_t worker_pc[6] = {};
};

struct Counters {
  uint64_t cycles = 0;                                     // chip cycles
  uint64_t evaluated = 0;                                  // tile-cycles evaluated
  uint64_t skipped = 0;                                    // tile-cycles of tiles that waited and were not evaluated
  uint64_t supersteps = 0;                                 // internal acknowledgements
  uint64_t compute = 0, sync = 0, exchange = 0, host = 0;  // chip cycles by phase; they add up to `cycles`
};

// Called in cycle order within a tile; the order between tiles is deterministic and the same for both backends, but not
// that of time. Everything that belongs to cycles up to an internal acknowledgement comes before its superstep().
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void retire(unsigned /*tile*/, const Retire&) {}
  virtual void port_write(unsigned /*tile*/, const PortWrite&) {}
  virtual void superstep(uint64_t /*index*/, uint64_t /*cycle*/) {}  // at an internal acknowledgement
};

class Chip {
 public:
  virtual ~Chip() = default;
  virtual const spec::Machine& machine() const = 0;
  virtual uint64_t cycle() const = 0;
  virtual void attach(HostBus*) = 0;    // not owned
  virtual void observe(Observer*) = 0;  // not owned; null: none (fastest)

  // Runs until something stops it, at most to cycle `limit`. `budget` bounds one compute phase of a tile (0: none).
  virtual Stop run(uint64_t limit, uint64_t budget) = 0;
  virtual void mark(uint64_t cycle, uint16_t value) = 0;  // answers a host sync; arrives at `cycle`

  // Debug port, one access each; time as in edge.md. tile = kNoTile writes all tiles.
  virtual void debug_write(unsigned tile, DebugSpace, unsigned context, uint32_t address, uint32_t data) = 0;
  virtual uint32_t debug_read(unsigned tile, DebugSpace, unsigned context, uint32_t address) = 0;
  // Many memory words, as that many debug writes.
  virtual void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) = 0;

  virtual ExceptionStatus exception(unsigned tile) const = 0;  // cause 0: none
  virtual std::vector<TileWait> waits() const = 0;
  virtual Counters counters() const = 0;
  // Of the contents of all tile memories. No tile may be running (after kBudget, kLimit): std::logic_error on RTL.
  virtual uint64_t memory_hash() const = 0;
  virtual void reset() = 0;  // as after power-up; cycle 0
};

enum class Backend { kRtl, kModel };
std::unique_ptr<Chip> make_chip(Backend, const spec::Machine&);

}  // namespace tessera::chip
