// Looks for stops in what the chip tells, forwards (the earliest after a point) or backwards (the latest before one).
// The same object sees the replayed past and then the forward run, so nothing is missed between them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "inspect/gdb/read_addresses.h"
#include "inspect/gdb/stops.h"
#include "sim/port/chip.h"

namespace tessera::inspect {
class Run;
}

namespace tessera::inspect::gdb {

// Records of a cycle come at most so many cycles later.
constexpr uint64_t kRecordDelay = 6;

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
  void begin(Search search, Run& run, uint64_t start);
  void end();
  void begin_anew();  // the same search in a run whose time begins again
  bool steps() const { return busy_ && !search_.steps.empty(); }
  const std::optional<Found>& found() const { return found_; }

  bool wants(unsigned tile) const override { return busy_ && tile < tiles_.size() && tiles_[tile].wanted; }
  void retire(unsigned tile, const chip::Retire&) override;
  void port_write(unsigned tile, const chip::PortWrite&) override;

 private:
  struct Step {
    StepWish wish;
    bool begun = false;
  };
  struct Tile {
    bool wanted = false, reads = false;
    std::vector<uint64_t> pcs;  // bit per word of region 0: a breakpoint is there
    const TileStops* stops = nullptr;
    std::vector<Step> steps;
    RegisterShadow registers;
  };

  bool eligible(const Found&) const;
  void note(const Found&);
  void watch(unsigned tile, unsigned context, uint64_t cycle, uint32_t address, uint32_t bytes, bool write);
  void follow(Step&, unsigned tile, const chip::Retire&);

  bool busy_ = false;
  uint32_t text_ = 0, text_end_ = 0;  // region 0
  Search search_;
  std::vector<Tile> tiles_;
  std::optional<Found> found_;
};

}  // namespace tessera::inspect::gdb
