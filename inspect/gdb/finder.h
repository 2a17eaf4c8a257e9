// Looks for stops in what the chip tells, forwards (the earliest after a point) or backwards (the latest before one).
// The same object sees the replayed past and then the forward run, so nothing is missed between them. Chips of a system
// tell it of their tiles on threads of their own; what it finds does not depend on their order.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "inspect/gdb/passing_state.h"
#include "inspect/gdb/stops.h"
#include "inspect/read_addresses.h"
#include "sim/port/chip.h"

namespace tessera::inspect::gdb {

class Target;

// Records of a cycle come at most so many cycles later.
constexpr uint64_t kRecordDelay = 6;

// A set of pcs that is asked about at every instruction.
class CodePoints {
 public:
  void set(const std::set<uint32_t>& pcs);
  bool contains(uint32_t pc) const {
    const uint32_t word = (pc - first_) / 4;
    return word < words_ && (bits_[word / 64] >> word % 64 & 1) != 0;
  }
  bool empty() const { return words_ == 0; }

 private:
  uint32_t first_ = 0, words_ = 0;
  std::vector<uint64_t> bits_;
};

class Finder : public chip::Observer {
 public:
  struct Search {
    Stops stops;
    std::vector<StepWish> steps;
    // Forwards: found keys are above `floor`, and above that of their thread where it has one; steps begin with records
    // of cycle `from`. Backwards: found keys are below.
    Key floor;
    std::map<Thread, Key> ahead;
    uint64_t from = 0;
    std::set<Thread> only;  // whose stops count; none: everybody's
    bool backwards = false;
  };

  // Forgets what was found. Brings the run to `start`, from where it must be replayed or run on.
  void begin(Search search, Target& target, uint64_t start);
  void end();
  // What was found is passed by: its conditions do not hold. The search goes on behind it, from where run is put.
  void pass_by(Target& target);
  // Whether a breakpoint's conditions hold in that state, and what memory they look at (in PassingState's blocks): it
  // is known from the next begin() on.
  bool holds(const Found&, ExpressionState&) const;
  void look_at(unsigned tile, const std::set<uint32_t>& blocks);
  void begin_anew();  // the same search in a run whose time begins again
  bool steps() const { return busy_ && !search_.steps.empty(); }
  const std::optional<Found>& found() const { return found_; }

  bool wants(unsigned tile) const override { return busy_ && tile < tiles_.size() && tiles_[tile].wanted; }
  void retire(unsigned tile, const chip::Retire&) override;
  void port_write(unsigned tile, const chip::PortWrite&) override;
  void debug_written(unsigned tile, uint64_t, chip::DebugSpace, unsigned, uint32_t, uint32_t) override;
  void loaded(unsigned tile, uint64_t, uint32_t, std::span<const uint32_t>) override;

 private:
  struct Step {
    StepWish wish;
    bool begun = false;
  };
  struct Tile {
    bool wanted = false, reads = false;
    CodePoints pcs;  // of the breakpoints that may stop some context of it
    const TileStops* stops = nullptr;
    std::vector<Step> steps;
    RegisterShadow registers;
    std::unique_ptr<PassingState> state;  // null: no conditions to be looked at
  };

  void prepare(unsigned id, Tile&, const TileStops&, std::set<unsigned>& registers);
  void learn(Target& target, uint64_t start, const std::set<unsigned>& registers);
  bool eligible(const Found&) const;
  bool better(const Found&) const;
  bool is_better(const Found&);  // on any thread
  void note(const Found&);
  void meet(unsigned id, const Tile&, const chip::Retire&);
  void watch(unsigned tile, unsigned context, uint64_t cycle, uint32_t address, uint32_t bytes, bool write);
  void follow(Step&, unsigned tile, const chip::Retire&);

  bool busy_ = false;
  Search search_;
  std::vector<Tile> tiles_;
  std::mutex finding_;
  std::optional<Found> found_;
  std::set<std::pair<unsigned, uint32_t>> blocks_;  // of memory that conditions look at, by tile
};

}  // namespace tessera::inspect::gdb
