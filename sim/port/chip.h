// One chip, RTL or model: what the system around it, the tests and the tools may do with it. Both backends take the
// same calls and give the same answers, cycle for cycle (docs/reference/tile.md, exchange.md, edge.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/port/flip.h"
#include "sim/port/link_port.h"
#include "sim/port/tile_port.h"

namespace tessera::spec {
struct Machine;
struct LinkTables;
}  // namespace tessera::spec

namespace tessera::chip {

struct Checkpoint;

// Host memory as the chip sees it through its PCIe endpoint, and remote memory behind its gateway. Reads and writes
// come in chip time order.
class HostBus {
 public:
  virtual ~HostBus() = default;
  // Whether host memory reaches there; a packet that it does not reach is refused and comes to neither of the others.
  // Asked when the packet leaves its tile, in `cycle`, which may be before others that leave the host port earlier.
  virtual bool reaches(uint64_t /*cycle*/, uint32_t /*host_address*/, size_t /*words*/, bool /*write*/) { return true; }
  // A write packet left the host port at `cycle`.
  virtual void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) = 0;
  // A read packet left at `cycle`: fills `words`, returns the cycle in which the response arrives back at the host
  // port.
  virtual uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) = 0;
  // The same of remote memory, byte addresses of 40 bits. There is none unless these say so: all is refused.
  virtual bool remote_reaches(uint64_t /*cycle*/, uint64_t /*address*/, size_t /*words*/, bool /*write*/) {
    return false;
  }
  // tile: that has sent the packet.
  virtual void remote_write(uint64_t cycle, unsigned tile, uint64_t address, std::span<const uint32_t> words);
  virtual uint64_t remote_read(uint64_t cycle, unsigned tile, uint64_t address, std::span<uint32_t> words);
};

struct Refusal {       // a packet that the host bus refused
  uint64_t cycle = 0;  // its last word at the host port
  uint64_t sent = 0;   // and on its tile's port
  unsigned tile = 0;   // that sent it
  bool write = false;
  bool remote = false;   // to remote memory
  uint64_t address = 0;  // there, or of the host
  unsigned words = 0;

  const char* memory() const { return remote ? "remote" : "host"; }
};

enum class StopReason {
  kHostSync,   // every tile waits in zone 4 and the edge is drained: answer with mark()
  kException,  // at least one tile excepted and nothing else can move
  kDeadlock,   // nothing can move: see waits()
  kBudget,     // a tile computed for longer than the cycle budget without reaching a sync
  kHalted,     // every tile is halted
  kRefused,    // host or remote memory has refused a packet: its sender stands still since, and nothing else can move
  kLimit,      // run()'s cycle limit reached
  kGroupSync,  // every tile waits in a zone that is of a group of chips: answer with group_answer(); until then run()
               // goes on, up to its limit, with what comes and goes on channels alone, and stops with this again
  kSuperstep,  // the superstep asked for by stop_at_superstep() begins
};

struct Stop {
  StopReason reason = StopReason::kHalted;
  uint64_t cycle = 0;       // host sync: N of exchange.md
  unsigned tile = kNoTile;  // exception, budget: the lowest such tile; refused: the sender
  std::optional<Refusal> refusal{};
  bool consensus = false;  // group sync: of this chip's tiles
  uint8_t zone = 0;        // group sync: which
};

struct TileWait {  // what a tile is doing, for deadlock and budget reports
  unsigned tile = 0;
  std::string state;           // "computing", "waits at internal sync", ...
  uint32_t supervisor_pc = 0;  // of what comes next: behind the instruction in which it waits
  uint8_t active_workers = 0;  // mask
  uint32_t worker_pc[6] = {};
  uint8_t sync_zone = 0;  // of the request that is up; 0: none
  uint16_t awaited = 0;   // words of packets that the supervisor waits for (sync 5)
};

struct Counters {
  uint64_t cycles = 0;      // chip cycles
  uint64_t evaluated = 0;   // tile-cycles evaluated
  uint64_t skipped = 0;     // tile-cycles of tiles that waited and were not evaluated
  uint64_t supersteps = 0;  // internal acknowledgements
  // Chip cycles by phase (phase_account.h), which add up to `cycles`.
  uint64_t compute = 0, sync = 0, exchange = 0, transfer = 0, host = 0;
};

// Called in cycle order within a tile; the order between tiles is deterministic and the same for both backends, but not
// that of time. Everything that belongs to cycles up to an internal acknowledgement comes before its superstep().
// Watching changes nothing: neither results nor cycles.
class Observer {
 public:
  virtual ~Observer() = default;
  // Whether the calls that name `tile` are wanted. Asked when the observer is attached, by run(), and at every internal
  // acknowledgement; a tile that nobody wants to see runs at full speed.
  virtual bool wants(unsigned /*tile*/) const { return true; }
  // Asked in its place by a chip: who gets those calls; null: they are not wanted.
  virtual Observer* of_tile(unsigned tile) { return wants(tile) ? this : nullptr; }

  // Whether calls that name a tile touch nothing but what belongs to that tile: those of several tiles may then come at
  // the same time, from several threads. All others come from one.
  virtual bool tiles_apart() const { return false; }

  virtual void retire(unsigned /*tile*/, const Retire&) {}
  // Whether instructions are wanted for more than what they write to memory. Who says no gets retire() of some, and of
  // others, which a tile has then no need to record, stored() of what they have written: bytes of an 8-aligned word.
  virtual bool wants_records() const { return true; }
  virtual void stored(unsigned /*tile*/, uint32_t /*address*/, uint64_t /*data*/, uint8_t /*strobe*/) {}
  virtual void port_write(unsigned /*tile*/, const PortWrite&) {}
  virtual void superstep(uint64_t /*index*/, uint64_t /*cycle*/) {}  // at an internal acknowledgement

  // The tile's exchange port. `sent`: the word is on the output in `cycle`. `received`: it is in the input register in
  // `cycle`, from the port of tile `source`; it is written only if a port_write of about that cycle says so. In a
  // paired transfer both are told of two words a cycle, that of the tile's own port first. `exchanging`: the sequencer
  // has started (from `cycle` on) or is done.
  virtual void sent(unsigned /*tile*/, uint64_t /*cycle*/, uint32_t /*data*/) {}
  virtual void received(unsigned /*tile*/, uint64_t /*cycle*/, unsigned /*source*/, uint32_t /*data*/) {}
  virtual void selected(unsigned /*tile*/, uint64_t /*cycle*/, unsigned /*source*/) {}  // kNoTile: none
  virtual void exchanging(unsigned /*tile*/, uint64_t /*cycle*/, bool /*on*/) {}
  // The tile's request rose in `cycle`; later all tiles of the zone get one acknowledgement. `phase_start` is the first
  // cycle of the next phase and `request` the cycle in which the last request rose: what Counters are made of.
  virtual void sync_request(unsigned /*tile*/, uint64_t /*cycle*/, uint8_t /*zone*/, bool /*value*/) {}
  virtual void sync_acknowledge(uint64_t /*cycle*/, uint8_t /*zone*/, bool /*consensus*/, uint16_t /*mark*/,
                                uint64_t /*request*/, uint64_t /*phase_start*/) {}
  virtual void host_sync(uint64_t /*cycle*/) {}  // the host is notified
  // Packets word by word: out at the tile's port, in in its input register.
  virtual void packet_request(unsigned /*tile*/, uint64_t /*cycle*/) {}
  virtual void packet_out(unsigned /*tile*/, uint64_t /*cycle*/, uint32_t /*data*/, bool /*last*/) {}
  virtual void packet_in(unsigned /*tile*/, uint64_t /*cycle*/, uint32_t /*data*/, bool /*first*/) {}
  virtual void excepted(unsigned /*tile*/, const ExceptionStatus&) {}
  // The debug port: a write in `cycle`; tile = kNoTile: to all. Whoever keeps a copy of memory needs it.
  virtual void debug_written(unsigned /*tile*/, uint64_t /*cycle*/, DebugSpace, unsigned /*context*/,
                             uint32_t /*address*/, uint32_t /*data*/) {}
  // As many debug writes of memory words, one a cycle from `cycle` on. Only for who wants them faster than one by one.
  virtual void loaded(unsigned tile, uint64_t cycle, uint32_t address, std::span<const uint32_t> words) {
    for (size_t i = 0; i < words.size(); ++i)
      debug_written(tile, cycle + i, DebugSpace::kMemory, 0, address + 4 * static_cast<uint32_t>(i), words[i]);
  }
  // A fault (inspect/faults) has turned over bits of the tile's state; faults of words on their way are not told.
  virtual void flipped(uint64_t /*cycle*/, const Flip&) {}
  // A debug access, or several one after another, have taken chip time up to `end`: with Counters host time from
  // `begin` on, which is the cycle of the access, or that of the last request when the host was notified.
  virtual void debug_time(uint64_t /*begin*/, uint64_t /*end*/) {}
};

// The whole state of a chip between two calls, in the form of its backend. Cheap: what has not changed since the chip's
// last snapshot is shared with it.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual uint64_t cycle() const = 0;
  virtual uint64_t superstep() const = 0;  // internal acknowledgements before it
  virtual size_t bytes() const = 0;        // that it alone holds
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
  // Whether a tile has refused the last of them, since it had not settled (edge.md): it had no effect, a read gave 0.
  virtual bool access_refused() const = 0;
  // Many memory words, as that many debug writes in cycles that follow each other: nobody can tell it from them.
  virtual void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) = 0;

  virtual ExceptionStatus exception(unsigned tile) const = 0;  // cause 0: none
  virtual std::vector<TileWait> waits() const = 0;
  virtual Counters counters() const = 0;
  // Of the contents of all tile memories. No tile may be running (after kBudget, kLimit): std::logic_error on RTL.
  virtual uint64_t memory_hash() const = 0;
  virtual void reset() = 0;  // as after power-up; cycle 0

  // run() stops with kSuperstep when superstep `index` is about to begin: in the cycle of the internal acknowledgement
  // that ends superstep index - 1, before any tile has stepped it (settled boundary: nothing is in flight). The next
  // run() goes on. kNoSuperstep: does not stop.
  static constexpr uint64_t kNoSuperstep = ~0ull;
  virtual void stop_at_superstep(uint64_t index);
  // Between two calls of run(), in any cycle. restore() takes snapshots of this chip, or of another of the same backend
  // and machine; HostBus, observer and stop_at_superstep() stay as they are. std::logic_error where a chip has none.
  virtual std::shared_ptr<const Snapshot> snapshot() const;
  virtual void restore(const Snapshot&);
  // checkpoint.h
  virtual Checkpoint checkpoint();
  virtual void put(const Checkpoint&);

  // Of a chip in a system of several (docs/reference/link.md); std::logic_error where a chip has no links. What the
  // host tells it: its number, and where channels lead; `grouped`: which of its syncs are acknowledged
  // from outside.
  virtual void join(uint32_t chip, const spec::LinkTables&, Grouped grouped);
  // Answers a group sync, to which this chip's consensus belongs; arrives at `cycle`.
  virtual void group_answer(uint64_t cycle, bool consensus);
  // What comes on its channels, by cycle; and what has left since the last call, likewise.
  virtual void link_in(const LinkEvent&);
  virtual std::vector<LinkEvent> link_out();
  // All that comes in cycles before `known` has been told, so that run() may go up to there; ~0: nothing will come.
  virtual void expect_links(uint64_t known);
  // False: nothing leaves it by its channels or for the host before run() has returned for a sync of its group or with
  // the host, unless something comes on its channels.
  virtual bool may_send() const;

  // Files that the chip itself writes (waves of every signal) end here and get their names. Throws std::runtime_error,
  // one line naming the file, when one could not be written.
  virtual void close_files() {}

  // A fault, between cycle() - 1 and cycle(): takes no time. std::out_of_range where a chip has no such place,
  // std::logic_error where a chip has no faults.
  virtual void flip(const Flip&);
};

enum class Backend { kRtl, kModel };
std::unique_ptr<Chip> make_chip(Backend, const spec::Machine&);
std::unique_ptr<Chip> make_linked_chip(Backend, const spec::Machine&);  // of a system of several

}  // namespace tessera::chip
