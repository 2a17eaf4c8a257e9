// A run under inspection, and the parts that look at it (waves, trace, debugger, failure replay). Built on Chip alone,
// so all of it works on RTL, model and both in lockstep.
//
// Time. The forward run goes in segments: to the next superstep boundary, or a chunk of cycles where one is long, or
// whatever stops the chip. The past can be gone to at will: snapshots are taken at boundaries and everything that came
// from outside (marks, debug writes, host reads) is in a journal, so that any cycle between oldest() and frontier() is
// reached by restoring a snapshot and running up to it. The frontier is as far as the forward run has come. While the
// past is replayed, nothing goes out (host writes are dropped) and only the observer given to the replay sees records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/program_info.h"
#include "sim/port/chip.h"
#include "sim/port/journal.h"

namespace tessera::chip {
struct LockstepDifference;
}

namespace tessera::inspect {

class Run {
 public:
  virtual ~Run() = default;
  virtual chip::Chip& chip() = 0;  // standing at position(); do not call run, mark, load, reset, observe or attach
  virtual const names::ProgramInfo& program() const = 0;

  virtual uint64_t position() const = 0;  // cycle at which the chip stands
  virtual uint64_t frontier() const = 0;
  virtual uint64_t oldest() const = 0;
  // Cycle in which the superstep of `cycle` begins, and its index. Known for all of the recorded past.
  struct Boundary {
    uint64_t cycle = 0, superstep = 0;
  };
  virtual Boundary boundary_before(uint64_t cycle) const = 0;  // the last with boundary.cycle <= cycle

  // The last host sync that the host had answered when the chip stood in `cycle` or before, in the recorded past.
  using HostSync = chip::Journal::HostSync;
  virtual std::optional<HostSync> host_sync_before(uint64_t cycle) const = 0;

  // Brings the chip to `cycle` (oldest..frontier), in either direction.
  virtual void go_to(uint64_t cycle) = 0;
  // From position() on to `cycle` (<= frontier); the observer (may be null) sees it.
  virtual void replay(uint64_t cycle, chip::Observer* observer) = 0;
  // The chip as it stands is let go of: what the caller does to it with debug accesses leaves no trace. Ends when the
  // object is destroyed.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  virtual std::unique_ptr<Scratch> scratch() = 0;
  // A debug write that stays: at position(), which becomes the frontier (what was recorded after it is forgotten), and
  // passes a cycle. False if the tile refuses it (tile.md, Halt, start, debug): held, it settles within some cycles.
  // Throws std::runtime_error when that would undo something the host has already seen, or a file that records the run.
  virtual bool change(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data) = 0;

  // Other options from the frontier on, in text form (options.h), as if merged over those of the start: "waves=" closes
  // the waves, "trace=b.trace;trace-tiles=3" begins a trace. Throws BadOption or std::runtime_error, one line. Only
  // waves*, trace* and, where there is none yet, gdb* can be given.
  virtual void inspect(const std::string& options) = 0;

  // Whether the client is gone: a part that waits for somebody else leaves at_boundary() then. The descriptor becomes
  // readable at that time (-1: there is none); nobody reads from it.
  virtual bool abandoned() const = 0;
  virtual int abandoned_descriptor() const = 0;
};

class Part {
 public:
  virtual ~Part() = default;
  virtual chip::Observer* observer() { return nullptr; }  // of the forward run; asked again before every segment

  // What the part asks of the forward run, before every segment. The finest wish of all parts counts.
  struct Needs {
    bool supersteps = true;       // at_boundary() at every superstep
    uint64_t cycles = 65536;      // and at least after so many cycles; 0: where others want it only
    uint64_t snapshot_every = 0;  // cycles; 0: as the options say
  };
  virtual Needs needs() const { return {}; }
  // Readable when somebody asks the part for something while the run stands between two requests of the client:
  // at_boundary() is called then, with the last stop. -1: nobody can.
  virtual int wake_descriptor() const { return -1; }
  // What the user must know to use it, a line: told when it begins. "" for nothing.
  virtual std::string notice() const { return ""; }
  // Whether it has written of the forward run what change() in the past would make untrue.
  virtual bool leaves_file() const { return false; }

  // The forward run stands at a boundary: before its first cycle after a load, and after every segment with why it
  // ended (kSuperstep, kLimit: a chunk; else the stop that the client will see). The part may move in time; the run
  // is brought back to the frontier afterwards.
  virtual void at_boundary(Run&, const chip::Stop&) {}
  // A tile that has done what ends the run, though the chip goes on: the client gets the stop of an exception of it,
  // and explain_failure() is asked. Asked after each segment.
  virtual std::optional<unsigned> objects_to() const { return std::nullopt; }
  // The chip stopped with something that is no host sync and no limit of the client. Text for the user, "" for none.
  virtual std::string explain_failure(Run&, const chip::Stop&) { return ""; }
  // RTL and model differ. The chip stands in the cycle of the earlier of the two records that do.
  virtual std::string explain_difference(Run&, const chip::LockstepDifference&) { return ""; }
  // The client found `what` wrong with the results of these tiles (none: of any).
  virtual std::string explain_check(Run&, const std::string& /*what*/, const std::vector<unsigned>& /*tiles*/) {
    return "";
  }
  virtual void program_changed(const names::ProgramInfo&) {}  // another program is about to be loaded
  virtual void finish() {}  // no more will come: close files. Throws when they are not whole
};

}  // namespace tessera::inspect
