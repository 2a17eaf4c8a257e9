// RecordedRun: how the past is gone to.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "inspect/recorded_run.h"
#include "sim/port/lockstep_difference.h"

namespace tessera::inspect {

// Until its end the chip may be spoiled.
class RecordedRun::Aside : public Run::Scratch {
 public:
  explicit Aside(RecordedRun& run) : run_(run), place_(run.place_), state_(run.chip_->snapshot()) {
    run_.chip_->observe(nullptr);
    run_.mode_ = Mode::kScratch;
  }
  ~Aside() override {
    run_.chip_->observe(nullptr);
    run_.chip_->restore(*state_);
    run_.mode_ = Mode::kPast;
    run_.place_ = place_;
  }

 private:
  RecordedRun& run_;
  const RunJournal::Place place_;
  const std::shared_ptr<const chip::Snapshot> state_;
};

uint64_t RecordedRun::frontier() const { return mode_ == Mode::kLive ? chip_->cycle() : frontier_; }

uint64_t RecordedRun::oldest() const { return snapshots_.empty() ? frontier() : snapshots_.first().cycle; }

Run::Boundary RecordedRun::boundary_before(uint64_t cycle) const {
  const auto& list = boundaries_.list;
  const auto after = std::upper_bound(list.begin(), list.end(), cycle,
                                      [](uint64_t value, const Boundary& b) { return value < b.cycle; });
  if (after == list.begin()) throw std::out_of_range("no superstep is known before cycle " + std::to_string(cycle));
  return *std::prev(after);
}

void RecordedRun::need_past() const {
  if (snapshots_.empty())
    throw std::runtime_error(has_past_ ? "there is no way back: snapshots are off, or nothing has run yet"
                                       : "there is no way back: this chip takes no snapshots");
  if (mode_ == Mode::kScratch) throw std::logic_error("the chip is spoiled: end the scratch first");
}

void RecordedRun::leave_frontier() {
  if (mode_ != Mode::kLive) return;
  live_ = chip_->snapshot();
  frontier_ = chip_->cycle();
  place_ = journal_.seal();
  if (has_past_) chip_->stop_at_superstep(kNoSuperstep);
  chip_->observe(nullptr);
  mode_ = Mode::kPast;
}

void RecordedRun::back_to_frontier() {
  if (mode_ == Mode::kLive) return;
  chip_->restore(*live_);
  live_ = nullptr;
  mode_ = Mode::kLive;
  watch();
}

void RecordedRun::go_to(uint64_t cycle) {
  if (cycle == frontier()) return back_to_frontier();
  need_past();
  if (cycle < oldest() || cycle > frontier())
    throw std::out_of_range("cycle " + std::to_string(cycle) + " is not recorded: from " + std::to_string(oldest()) +
                            " to " + std::to_string(frontier()));
  leave_frontier();
  const SnapshotStore::Kept& kept = *snapshots_.before(cycle);
  if (chip_->cycle() > cycle || chip_->cycle() < kept.cycle) {
    chip_->restore(*kept.snapshot);
    place_ = kept.place;
  }
  chip_->observe(nullptr);
  run_to(cycle);
}

void RecordedRun::replay(uint64_t cycle, chip::Observer* observer) {
  if (cycle > frontier() || cycle < position())
    throw std::out_of_range("cycle " + std::to_string(cycle) + " is not ahead in the recorded past");
  if (cycle == position()) return;
  need_past();
  chip_->observe(observer);
  run_to(cycle);
  chip_->observe(nullptr);
  if (cycle == frontier()) back_to_frontier();
}

// The accesses that are due in the very cycle are not done: they come when the run goes on.
void RecordedRun::run_to(uint64_t cycle) {
  const auto advance = [&](uint64_t to) {
    if (chip_->cycle() >= to) return;
    chip_->run(to, 0);
    if (chip_->cycle() != to)
      throw std::logic_error("the past does not repeat itself: the chip stops at cycle " +
                             std::to_string(chip_->cycle()) + " on its way to " + std::to_string(to));
  };
  while (place_.entry < journal_.end().entry) {
    const RunJournal::Entry& entry = journal_.entry(place_.entry);
    if (entry.at >= cycle) break;
    advance(entry.at);
    const uint64_t before = place_.entry;
    journal_.apply(place_, *chip_, cycle);
    if (place_.entry == before) return;  // in the middle of its accesses
  }
  advance(cycle);
}

// The chip is of no use after a difference: the frontier is set to where both still agreed.
std::string RecordedRun::tell_difference(const chip::LockstepDifference& difference) {
  const SnapshotStore::Kept* kept = snapshots_.before(difference.where.cycle);
  if (difference.where.tile == chip::kNoTile || kept == nullptr) return "";
  chip_->stop_at_superstep(kNoSuperstep);
  chip_->observe(nullptr);
  chip_->restore(*kept->snapshot);
  mode_ = Mode::kPast;
  place_ = kept->place;
  frontier_ = difference.where.cycle;
  run_to(frontier_);
  live_ = chip_->snapshot();
  journal_.forget_after(place_);
  return ask_parts([&](Part& part) { return part.explain_difference(*this, difference); });
}

std::unique_ptr<Run::Scratch> RecordedRun::scratch() {
  if (mode_ == Mode::kScratch) throw std::logic_error("the chip is spoiled already: one scratch at a time");
  leave_frontier();
  return std::make_unique<Aside>(*this);
}

void RecordedRun::change(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  if (mode_ == Mode::kScratch) throw std::logic_error("the chip is spoiled: end the scratch first");
  const uint64_t now = position();
  if (now < frontier()) {
    if (host_seen_ > now)
      throw std::runtime_error("the host has already seen cycle " + std::to_string(host_seen_) +
                               ": only what comes after it can be changed");
    if (leaves_files())
      throw std::runtime_error("waves or a trace record the run up to cycle " + std::to_string(frontier()) +
                               ": finish them before changing what came before");
    journal_.forget_after(place_);
    snapshots_.forget_after(now);
    std::erase_if(boundaries_.list, [&](const Boundary& b) { return b.cycle > now; });
    live_ = nullptr;
    mode_ = Mode::kLive;
    watch();
  } else {
    back_to_frontier();
  }
  const uint64_t seen = host_seen_;
  debug_write(tile, space, context, address, data);
  host_seen_ = seen;  // the host has not seen this
  changed_ = true;
}

}  // namespace tessera::inspect
