// Recording: how the past is gone to.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "inspect/recording.h"

namespace tessera::inspect {

// Until its end the chip may be spoiled.
class Recording::Aside : public Run::Scratch {
 public:
  explicit Aside(Recording& run) : run_(run), place_(run.place_), state_(run.chip_->snapshot()) {
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
  Recording& run_;
  const chip::Journal::Place place_;
  const std::shared_ptr<const chip::Snapshot> state_;
};

uint64_t Recording::frontier() const { return mode_ == Mode::kFrontier ? chip_->cycle() : frontier_; }

uint64_t Recording::oldest() const { return snapshots_.empty() ? frontier() : snapshots_.first().cycle; }

Recording::Boundary Recording::boundary_before(uint64_t cycle) const {
  const auto& list = boundaries_.list;
  const auto after = std::upper_bound(list.begin(), list.end(), cycle,
                                      [](uint64_t value, const Boundary& b) { return value < b.cycle; });
  if (after == list.begin()) throw std::out_of_range("no superstep is known before cycle " + std::to_string(cycle));
  return *std::prev(after);
}

void Recording::need_past() const {
  if (snapshots_.empty())
    throw std::runtime_error(has_past_ ? "there is no way back: snapshots are off, or nothing has run yet"
                                       : "there is no way back: this chip takes no snapshots");
  if (mode_ == Mode::kScratch) throw std::logic_error("the chip is spoiled: end the scratch first");
}

void Recording::leave_frontier() {
  if (mode_ != Mode::kFrontier) return;
  live_ = chip_->snapshot();
  frontier_ = chip_->cycle();
  place_ = journal_.seal();
  if (has_past_) chip_->stop_at_superstep(kNoSuperstep);
  chip_->observe(nullptr);
  mode_ = Mode::kPast;
}

void Recording::back_to_frontier() {
  if (mode_ == Mode::kFrontier) return;
  chip_->restore(*live_);
  live_ = nullptr;
  mode_ = Mode::kFrontier;
  show();
}

void Recording::go_to(uint64_t cycle) {
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

void Recording::replay(uint64_t cycle, chip::Observer* observer) {
  if (cycle > frontier() || cycle < chip_->cycle())
    throw std::out_of_range("cycle " + std::to_string(cycle) + " is not ahead in the recorded past");
  if (cycle == chip_->cycle()) return;
  need_past();
  chip_->observe(observer);
  run_to(cycle);
  chip_->observe(nullptr);
  if (cycle == frontier()) back_to_frontier();
}

void Recording::run_to(uint64_t cycle) { journal_.replay(place_, *chip_, cycle, this); }

bool Recording::stand_at_difference(const chip::Difference& difference) {
  const SnapshotStore::Kept* kept = snapshots_.before(difference.cycle);
  if (difference.tile == chip::kNoTile || kept == nullptr) return false;
  chip_->stop_at_superstep(kNoSuperstep);
  chip_->observe(nullptr);
  chip_->restore(*kept->snapshot);
  mode_ = Mode::kPast;
  place_ = kept->place;
  frontier_ = difference.cycle;
  run_to(frontier_);
  live_ = chip_->snapshot();
  journal_.forget_after(place_, frontier_);
  return true;
}

std::unique_ptr<Run::Scratch> Recording::scratch() {
  if (mode_ == Mode::kScratch) throw std::logic_error("the chip is spoiled already: one scratch at a time");
  leave_frontier();
  return std::make_unique<Aside>(*this);
}

bool Recording::change(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  if (mode_ == Mode::kScratch) throw std::logic_error("the chip is spoiled: end the scratch first");
  const uint64_t now = chip_->cycle();
  if (now < frontier()) {
    if (host_seen_ > now)
      throw std::runtime_error("others than the chip have already seen cycle " + std::to_string(host_seen_) +
                               ": only what comes after it can be changed");
    journal_.forget_after(place_, now);
    snapshots_.forget_after(now);
    std::erase_if(boundaries_.list, [&](const Boundary& b) { return b.cycle > now; });
    live_ = nullptr;
    mode_ = Mode::kFrontier;
    show();
  } else {
    back_to_frontier();
  }
  const uint64_t seen = host_seen_;
  debug_write(tile, space, context, address, data);
  host_seen_ = seen;  // the host has not seen this
  return !access_refused();
}

}  // namespace tessera::inspect
