// Stops by the tiles' own breakpoints and watchpoints (docs/reference/tile.md) in place of the records of the run: what
// a debugger of a real chip does. Time goes forward only, accesses to the debug port take chip time, and a stopped tile
// is found when nothing else can move either.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "inspect/gdb/stops.h"
#include "inspect/run.h"

namespace tessera::inspect::gdb {

class Hardware {
 public:
  // Why the contexts of a tile cannot hold these; "" when they can.
  static std::string refusal(const TileStops& stops);

  // Lets the chip go on with these stops: what stands is resumed, or, with steps, only those contexts step. To be
  // followed by arrived() when the run has come to where the chip stands.
  void resume(Run& run, const Stops& stops, const std::vector<StepWish>& steps);
  // The chip stands (any stop but kLimit and kSuperstep). Nothing: no trigger and no step is the reason; `goes_on`
  // then says whether it has been let on.
  std::optional<Found> arrived(Run& run, bool& goes_on);
  // Holds every tile, and waits until what is under way has ended.
  void halt(Run& run);
  // No triggers; what stands goes on.
  void let_go(Run& run);
  // A tile has been held so that it can be written to.
  void stands(unsigned tile) { stood_.insert(tile); }
  void begin_anew();  // another program: all has been started anew, perhaps reset

 private:
  void arm(Run& run, const Stops& stops);
  void go_on(Run& run);
  void resume_all(Run& run);
  std::optional<Found> met(Run& run, std::set<unsigned>& stale);

  Stops armed_;
  std::set<unsigned> touched_;  // tiles that have had triggers, and may stand for one that is gone
  bool anew_ = false;           // what the tiles hold is not known
  std::set<unsigned> stood_;    // tiles that are held
  bool all_held_ = false;       // by halt()
  std::vector<StepWish> steps_;
  bool alone_ = false;  // what stands has not been let on beside the steps
};

}  // namespace tessera::inspect::gdb
