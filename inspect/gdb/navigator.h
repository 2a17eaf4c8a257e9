// Moves a stopped run through its recorded time: from stop to stop, forwards beyond the frontier and backwards. Knows
// no packets. Looking and moving never change the run.
//
// A debugger steps over a breakpoint by taking all breakpoints away, stepping one thread and putting them back. Time
// cannot pass for one thread alone, so what others meet meanwhile is found by the next resume of all: the search then
// begins at the last stop that was told, not at where the step ended.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "inspect/gdb/finder.h"
#include "inspect/gdb/hardware.h"
#include "inspect/gdb/stops.h"
#include "inspect/gdb/thread_history.h"
#include "inspect/gdb/tile_write.h"
#include "inspect/gdb/view.h"

namespace tessera::inspect::gdb {

class Navigator {
 public:
  struct Resume {
    std::vector<StepWish> steps;
    std::set<Thread> only;  // whose stops count; none: everybody's
  };
  using Interrupted = std::function<bool()>;

  // Tiles that nobody looks at stop where one of the others does: text is the same on all tiles.
  void follow(std::set<unsigned> tiles) { followers_ = std::move(tiles); }
  Stops& stops() { return stops_; }
  const Stops& stops() const { return stops_; }
  uint64_t position() const { return position_; }  // record time
  bool running() const { return running_; }
  bool stepping() const { return running_ && finder_.steps(); }
  chip::Observer* observer() { return running_ && !hardware_ ? &finder_ : nullptr; }
  // From here on the tiles' own breakpoints and watchpoints stop the run, and time goes forward only. While there are
  // no stops. All tiles are held, which takes chip time.
  void use_hardware(Target&);
  bool hardware() const { return hardware_ != nullptr; }
  View& view(Target&);  // at position()
  // At position(); nullopt: the context has no such register.
  std::optional<uint64_t> register_of(Target&, Thread, const Register&);
  void read_memory(Target&, unsigned tile, uint32_t address, std::span<uint8_t> bytes);
  // The view is made anew when it is next asked for: until then the run may be moved.
  void leave_view() { view_.reset(); }

  // The run is stopped where it is.
  Found interrupt(Target&);
  // Then search(), and as long as that finds nothing arrived() at each boundary of the forward run.
  void resume(Target&, const Resume&);
  std::optional<Found> search(Target&, const Interrupted&);
  std::optional<Found> arrived(Target&);
  Found reverse_step(Target&, Thread);
  Found reverse_continue(Target&, const Interrupted&);
  // The run goes on without a debugger.
  void let_go(Target&);
  // Another program comes, time begins again: stops stay, and a run that has been let on goes on looking for them.
  void begin_anew();

  // Continuing in the right direction stops there; supersteps are those of a chip.
  void run_to_cycle(uint64_t cycle);
  void run_to_superstep(uint64_t superstep, unsigned chip);
  bool has_goal() const { return goal_.has_value(); }

  // Changes a tile at position(), which moves on by some cycles: the tile's contexts are held meanwhile, and until the
  // run moves again, unless it rests anyway. Throws what Run::change throws.
  void write(Target&, unsigned tile, const std::vector<TileWrite>&);

 private:
  struct Goal {
    bool superstep = false;
    uint64_t number = 0;
    unsigned chip = 0;  // of a superstep
  };
  struct Undo {  // a reverse step
    Thread thread;
    uint64_t from = 0, to = 0;
  };

  Stops all_stops() const;  // with those of the followers
  Found stopped(Found, bool backwards);
  std::optional<Found> failure(Target&) const;
  std::optional<Found> search_hardware(Target&, const Interrupted&);
  std::optional<uint64_t> cycle_of(Target&, const Goal&) const;
  std::optional<Found> goal(Target&) const;
  std::optional<Found> latest_before(Target&, Finder::Search, uint64_t lowest, const Interrupted&);
  bool holds(Target&, const Found&);  // looks conditions up that are undecided
  void release(Target&);
  void moved(const Run&);  // a chip, by writes
  bool lifted() const;     // a breakpoint is missing that was there when the last stop was told

  Stops stops_, stops_when_told_;
  std::set<unsigned> followers_;
  Finder finder_;
  std::unique_ptr<View> view_;
  ThreadHistory history_;  // of the thread that steps back
  uint64_t position_ = 0;
  bool running_ = false, alone_ = false, lifted_ = false;
  Key floor_;                         // of the last stop told
  std::map<Thread, Key> ahead_;       // threads that have stepped since
  std::optional<Key> reverse_floor_;  // of the last stop told, going back; and threads that have stepped back since
  std::map<Thread, Key> behind_;
  std::optional<Goal> goal_;
  std::optional<Undo> undo_;
  std::vector<unsigned> held_;  // tiles written to since the run last moved
  std::unique_ptr<Hardware> hardware_;
  bool let_on_ = false;  // by the hardware, and the chip has not run since
};

}  // namespace tessera::inspect::gdb
