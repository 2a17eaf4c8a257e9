#include "inspect/faults/fault_injector.h"

#include <algorithm>
#include <stdexcept>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/port/checkpoint.h"

namespace tessera::inspect {
namespace {

using chip::FlipSite;

// From an instruction's issue on: its context has read and written all its registers, and issues the next at the
// earliest then (tile.md, Contexts and slots).
constexpr uint64_t kDone = 6;

constexpr uint64_t kTaken = FaultyChip::kNotYet - 1;  // due no more

bool is_register(FlipSite site) {
  return site == FlipSite::kInteger || site == FlipSite::kFloat || site == FlipSite::kCsr;
}

// Nothing of its context is issued within kDone cycles: true of all that workers do.
bool ends_alone(const chip::Retire& record) {
  if (record.context != 0) return true;
  const auto opcode = spec::decode(record.instruction);
  if (opcode == spec::Opcode::Illegal || opcode == spec::Opcode::FenceI) return opcode == spec::Opcode::FenceI;
  const auto unit = spec::info(opcode).unit;
  return unit == spec::Unit::Branch || unit == spec::Unit::System || unit == spec::Unit::Csr ||
         unit == spec::Unit::Divide;
}

// No tile moves before the host does something.
bool stands_still(chip::StopReason reason) {
  return reason != chip::StopReason::kLimit && reason != chip::StopReason::kSuperstep &&
         reason != chip::StopReason::kBudget;
}

// A packet's word shows on the port, and a word that comes is in the tile's register, in the cycle after the step that
// makes or takes it.
uint64_t first_cycle(const Fault& fault, uint64_t due) { return !is_state(fault.flip.site) && due > 0 ? due - 1 : due; }

}  // namespace

struct FaultyChip::Stored : chip::ForwardingSnapshot {
  using ForwardingSnapshot::ForwardingSnapshot;
  size_t bytes() const override { return inner->bytes() + sizeof(Stored) + state.due.size() * 2 * sizeof(uint64_t); }

  State state;
};

FaultyChip::FaultyChip(std::unique_ptr<chip::Chip> chip, std::vector<Fault> faults, Tell tell)
    : ForwardingChip(std::move(chip)),
      faults_(std::move(faults)),
      tell_(std::move(tell)),
      told_(faults_.size(), false),
      fan_(chip_->machine().tiles()) {
  for (const Fault& fault : faults_) check_flip(machine(), fault.flip);
  fan_.set({&watcher_});
  begin();
}

FaultyChip::~FaultyChip() { tell_missed(); }

void FaultyChip::begin() {
  state_ = {};
  state_.happened.assign(faults_.size(), kNotYet);
  for (const Fault& fault : faults_) state_.due.push_back(fault.by_superstep ? kNotYet : fault.cycle);
  begin_superstep(0, 0);
}

void FaultyChip::begin_superstep(uint64_t index, uint64_t cycle) {
  for (size_t i = 0; i < faults_.size(); ++i)
    if (faults_[i].by_superstep && faults_[i].superstep == index) state_.due[i] = cycle + faults_[i].cycle;
}

void FaultyChip::Watcher::retire(unsigned tile, const chip::Retire& record) {
  if (!ends_alone(record)) return;
  for (Watch& watch : owner_.state_.watches) {
    const auto& flip = owner_.faults_[watch.fault].flip;
    if (flip.tile != tile || flip.context != record.context || record.cycle < watch.from) continue;
    watch.until = std::min(watch.until, record.cycle + kDone);
  }
}

void FaultyChip::Watcher::superstep(uint64_t, uint64_t) { owner_.boundary_ = true; }

void FaultyChip::happen(size_t fault) {
  const chip::Flip& flip = faults_[fault].flip;
  chip_->flip(flip);
  state_.happened[fault] = cycle() + (is_state(flip.site) ? 0 : 1);  // words are those of the next cycle and later
  if (observer_ != nullptr && is_state(flip.site)) observer_->flipped(cycle(), flip);
  tell_struck(fault);
}

void FaultyChip::tell_struck(size_t fault) {
  if (!tell_ || told_[fault]) return;
  told_[fault] = true;
  tell_("fault '" + text(faults_[fault]) + "' " +
        (is_state(faults_[fault].flip.site) ? "strikes in cycle " : "waits for its word from cycle ") +
        std::to_string(state_.happened[fault]));
}

void FaultyChip::tell_missed() {
  if (!tell_ || last_ == 0) return;
  for (size_t i = 0; i < faults_.size(); ++i)
    if (!told_[i])
      tell_("fault '" + text(faults_[i]) + "' never strikes: the run ends in cycle " + std::to_string(last_) +
            ", superstep " + std::to_string(chip_->counters().supersteps));
  told_.assign(faults_.size(), false);
  last_ = 0;
}

void FaultyChip::make_due() {
  for (size_t i = 0; i < faults_.size(); ++i) {
    if (state_.due[i] >= kTaken || first_cycle(faults_[i], state_.due[i]) > cycle()) continue;
    const uint64_t due = std::max(state_.due[i], cycle());
    state_.due[i] = kTaken;
    if (is_register(faults_[i].flip.site))
      state_.watches.push_back({i, due});
    else
      happen(i);
  }
}

void FaultyChip::end_watches(bool all) {
  for (const Watch& watch : state_.watches)
    if (all || watch.until <= cycle()) happen(watch.fault);
  std::erase_if(state_.watches, [&](const Watch& watch) { return all || watch.until <= cycle(); });
  boundary_ = false;
}

uint64_t FaultyChip::next_due() const {
  uint64_t next = kNotYet;
  for (size_t i = 0; i < faults_.size(); ++i)
    if (state_.due[i] < kTaken) next = std::min(next, first_cycle(faults_[i], state_.due[i]));
  return next;
}

// Of those that a fault names and that have not begun.
uint64_t FaultyChip::next_superstep() const {
  uint64_t next = kNoSuperstep;
  for (size_t i = 0; i < faults_.size(); ++i)
    if (faults_[i].by_superstep && state_.due[i] == kNotYet) next = std::min(next, faults_[i].superstep);
  return next;
}

// The superstep to stop at, asked for by a fault or by the caller.
uint64_t FaultyChip::next_stop() const {
  const uint64_t next = next_superstep();
  if (next == kNoSuperstep) return stop_at_;
  const bool passed = stop_at_ <= state_.stood_at || stop_at_ <= chip_->counters().supersteps;
  return passed ? next : std::min(next, stop_at_);
}

// A stop that only a fault's cycle has brought about. A chip that waits for others passes on what is theirs meanwhile.
bool FaultyChip::goes_on(const chip::Stop& stop, uint64_t before, uint64_t limit) const {
  if (stop.reason == chip::StopReason::kLimit) return stop.cycle < limit;
  const bool waits = stop.reason == chip::StopReason::kGroupSync || stop.reason == chip::StopReason::kHostSync;
  return waits && cycle() != before && cycle() < limit;
}

chip::Stop FaultyChip::run(uint64_t limit, uint64_t budget) {
  for (;;) {
    make_due();
    const bool watches = !state_.watches.empty();
    chip_->observe(watches ? &fan_ : observer_);
    const uint64_t stop_at = next_stop();
    chip_->stop_at_superstep(stop_at);
    const uint64_t before = cycle();
    const chip::Stop stop = chip_->run(watches ? std::min(limit, cycle() + 1) : std::min(limit, next_due()), budget);
    end_watches(boundary_ || stands_still(stop.reason));
    last_ = std::max(last_, stop.cycle);
    if (stop.reason == chip::StopReason::kSuperstep) {
      begin_superstep(stop_at, stop.cycle);
      if (stop_at == stop_at_) {
        state_.stood_at = stop_at;
        return stop;
      }
    } else if (!goes_on(stop, before, limit)) {
      return stop;
    }
  }
}

void FaultyChip::observe(chip::Observer* observer) {
  observer_ = observer;
  fan_.set({&watcher_, observer});
  chip_->observe(observer);
}

std::shared_ptr<const chip::Snapshot> FaultyChip::snapshot() const {
  auto stored = std::make_shared<Stored>(chip_->snapshot());
  stored->state = state_;
  return stored;
}

void FaultyChip::restore(const chip::Snapshot& snapshot) {
  const auto* stored = dynamic_cast<const Stored*>(&snapshot);
  if (stored == nullptr) throw std::logic_error("restore: the snapshot is of a chip without faults");
  chip_->restore(*stored->inner);
  state_ = stored->state;
}

// What lies before the checkpoint does not happen.
void FaultyChip::put(const chip::Checkpoint& checkpoint) {
  chip_->put(checkpoint);
  begin();
  for (size_t i = 0; i < faults_.size(); ++i) {
    const uint64_t begun = checkpoint.course.supersteps_;
    if (faults_[i].by_superstep ? faults_[i].superstep <= begun : state_.due[i] < cycle()) state_.due[i] = kTaken;
  }
}

void FaultyChip::reset() {
  tell_missed();
  chip_->reset();
  begin();
}

std::unique_ptr<chip::Chip> make_faulty_chip(std::unique_ptr<chip::Chip> chip, std::vector<Fault> faults,
                                             FaultyChip::Tell tell) {
  return std::make_unique<FaultyChip>(std::move(chip), std::move(faults), std::move(tell));
}

}  // namespace tessera::inspect
