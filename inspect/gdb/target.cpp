#include "inspect/gdb/target.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "inspect/gdb/of_chip.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

}  // namespace

void Target::stand(std::vector<Standing> standings, const link::BetweenRounds::Moment& moment) {
  standings_ = std::move(standings);
  changed_.assign(runs_.size(), false);
  moment_ = moment;
  position_ = frontier();
}

unsigned Target::tiles_of_chip() const { return runs_[0]->chip().machine().tiles(); }

Target::OnChip Target::of(unsigned tile) const {
  const unsigned chip = tile / tiles_of_chip();
  return {*runs_.at(chip), tile % tiles_of_chip(), {chip, chips()}};
}

const spec::Machine& Target::machine(unsigned tile) const { return of(tile).run.chip().machine(); }

chip::ExceptionStatus Target::exception(unsigned tile) const {
  const OnChip at = of(tile);
  return at.run.chip().exception(at.tile);
}

std::vector<chip::TileWait> Target::waits() const {
  std::vector<chip::TileWait> all;
  for (unsigned chip = 0; chip < chips(); ++chip)
    for (chip::TileWait& wait : runs_[chip]->chip().waits()) {
      wait.tile += first_tile(chip);
      all.push_back(std::move(wait));
    }
  return all;
}

uint64_t Target::known(size_t chip) const {
  return chips() == 1 ? runs_[0]->frontier() : std::max(runs_[chip]->frontier(), standings_[chip].from);
}

uint64_t Target::frontier() const {
  uint64_t first = kNever, last = 0;
  for (size_t chip = 0; chip < runs_.size(); ++chip) {
    if (moves(chip)) first = std::min(first, known(chip));
    last = std::max(last, runs_[chip]->frontier());
  }
  return first == kNever ? last : first;
}

uint64_t Target::oldest() const {
  uint64_t cycle = 0;
  for (const Run* run : runs_) cycle = std::max(cycle, run->oldest());
  return cycle;
}

Run::Boundary Target::boundary_before(uint64_t cycle) const {
  Run::Boundary latest;
  for (const Run* run : runs_)
    if (const Run::Boundary one = run->boundary_before(cycle); one.cycle >= latest.cycle) latest = one;
  return latest;
}

uint64_t Target::within(const Run& run, uint64_t cycle) {
  return std::min(std::max(cycle, run.oldest()), run.frontier());
}

void Target::go_to(uint64_t cycle) {
  if (chips() == 1) return runs_[0]->go_to(cycle);
  for (Run* run : runs_) run->go_to(within(*run, cycle));
  position_ = cycle;
}

void Target::replay(uint64_t cycle, chip::Observer* observer) {
  if (chips() == 1) return runs_[0]->replay(cycle, observer);
  const bool all = cycle == frontier();
  for (unsigned chip = 0; chip < chips(); ++chip) {
    Run& run = *runs_[chip];
    OfChip watching(*observer, first_tile(chip));
    run.replay(all ? run.frontier() : std::max(run.position(), within(run, cycle)), &watching);
  }
  position_ = cycle;
}

uint64_t Target::known_end(uint64_t delay) const {
  uint64_t end = frontier();
  for (size_t chip = 0; chip < runs_.size(); ++chip) {
    // Else nothing is under way in the chip: all records have come.
    const bool settled = standings_[chip].stop.reason != chip::StopReason::kLimit && !changed_[chip];
    if (!settled && !(moment_.over && chips() > 1)) end = std::min(end, known(chip) - std::min(known(chip), delay));
  }
  return std::max(oldest(), end);
}

bool Target::change(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  const OnChip at = of(tile);
  const uint64_t now = at.run.position();
  if (moment_.horizon != kNever) {
    for (const Run* run : runs_)
      if (run != &at.run && run->frontier() > now + moment_.latency)
        throw std::runtime_error("packets are on links, and other chips have gone on to cycle " +
                                 std::to_string(run->frontier()) + ": only what comes after cycle " +
                                 std::to_string(run->frontier() - moment_.latency) + " can be changed");
    if (now >= moment_.horizon)
      throw std::runtime_error("it is not known yet what comes on links to " + at.place.tile(at.tile) + " in cycle " +
                               std::to_string(now) + ": continue, and stop again");
    // Up to the end of the last round it knows.
    if (now == at.run.frontier()) moment_.give(at.place.chip, now + 1);
  }
  const bool made = at.run.change(at.tile, space, context, address, data);
  changed_[at.place.chip] = true;
  return made;
}

bool Target::abandoned() const {
  return std::ranges::any_of(runs_, [](const Run* run) { return run->abandoned(); });
}

}  // namespace tessera::inspect::gdb
