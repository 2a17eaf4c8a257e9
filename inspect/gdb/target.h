// What a debugger looks at: the chips of a system as one run, each with its recorded past. Tiles are numbered through
// the system, chip by chip; a tile of one chip is its number there.
//
// Time is one for all chips. They stand in different cycles: one runs ahead while nothing can reach it from the others,
// another waits for them. The frontier is the cycle up to which all is known of all; a chip that waits is as it will be
// until then, and at a cycle behind its last it is shown as it stands there.
#pragma once

#include <cstdint>
#include <vector>

#include "inspect/run.h"
#include "rtl/spec/tile_id.h"
#include "sim/link/between_rounds.h"

namespace tessera::inspect::gdb {

class Target {
 public:
  struct Standing {      // of a chip, at the frontier
    chip::Stop stop;     // why it stands
    bool moves = false;  // it goes on by itself
    uint64_t from = 0;   // and does nothing before this cycle
  };

  // By chip; not owned. All have as many tiles.
  explicit Target(std::vector<Run*> runs) : runs_(std::move(runs)), standings_(runs_.size()) {}
  // A chip that is alone.
  Target(Run& run, const chip::Stop& stop) : Target(std::vector<Run*>{&run}) { stand(stop); }

  // Where they stand now, between rounds.
  void stand(std::vector<Standing> standings, const link::BetweenRounds::Moment& moment);
  void stand(const chip::Stop& stop) { stand({{stop, true}}, {.over = true}); }
  const std::vector<Standing>& standings() const { return standings_; }
  bool over() const { return moment_.over; }

  unsigned chips() const { return static_cast<unsigned>(runs_.size()); }
  Run& run(unsigned chip) { return *runs_.at(chip); }
  unsigned tiles_of_chip() const;
  unsigned tiles() const { return chips() * tiles_of_chip(); }
  unsigned first_tile(unsigned chip) const { return chip * tiles_of_chip(); }
  struct OnChip {
    Run& run;
    unsigned tile;  // on its chip
    spec::ChipPlace place;
  };
  OnChip of(unsigned tile) const;
  const spec::Machine& machine(unsigned tile) const;
  chip::ExceptionStatus exception(unsigned tile) const;
  std::vector<chip::TileWait> waits() const;  // of all tiles

  // As Run says, of all chips.
  uint64_t position() const { return chips() == 1 ? runs_[0]->position() : position_; }
  uint64_t frontier() const;
  uint64_t oldest() const;
  Run::Boundary boundary_before(uint64_t cycle) const;  // the latest of all chips
  void go_to(uint64_t cycle);
  // To the frontier: each chip to its own.
  void replay(uint64_t cycle, chip::Observer* observer);
  // The cycle below which all records of all chips have been told; `delay`: how late they come.
  uint64_t known_end(uint64_t delay) const;
  // `cycle`, as far as the chip of that tile has come.
  static uint64_t within(const Run& run, uint64_t cycle);
  // As Run says; where another chip has gone on so far that it might have been reached it is refused too.
  bool change(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data);
  // Chips that were changed since stand(): they go on from where they stand.
  const std::vector<bool>& changed() const { return changed_; }

  bool abandoned() const;
  int abandoned_descriptor() const { return runs_[0]->abandoned_descriptor(); }

 private:
  bool moves(size_t chip) const { return standings_[chip].moves || changed_[chip]; }
  uint64_t known(size_t chip) const;

  std::vector<Run*> runs_;
  std::vector<Standing> standings_;
  std::vector<bool> changed_;
  link::BetweenRounds::Moment moment_;
  uint64_t position_ = 0;
};

}  // namespace tessera::inspect::gdb
