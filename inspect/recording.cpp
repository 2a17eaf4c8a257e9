#include "inspect/recording.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "rtl/spec/machine.h"

namespace tessera::inspect {
namespace {

using chip::Journal;

uint64_t sum(uint64_t a, uint64_t b) {
  constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
  return a > kNever - b ? kNever : a + b;
}

// A snapshot is best at a boundary, where the next one takes it once it is due; a long superstep gets one inside.
uint64_t late(uint64_t due, const Part::Needs& wanted) { return sum(due, wanted.snapshot_every / 2); }

}  // namespace

Recording::Recording(std::unique_ptr<chip::Chip> chip, const Keeps& keeps)
    : ForwardingChip(std::move(chip)), keeps_(keeps), fan_(chip_->machine().tiles()) {
  try {
    chip_->stop_at_superstep(kNoSuperstep);
    has_past_ = true;
  } catch (const std::logic_error&) {
    // A chip that neither stops at supersteps nor gives snapshots is run all the same.
  }
  chip_->attach(this);
}

Recording::~Recording() {
  chip_->observe(nullptr);
  chip_->attach(nullptr);
}

void Recording::observe(chip::Observer* observer) {
  std::erase(observers_, client_observer_);
  client_observer_ = observer;
  if (observer != nullptr) observers_.insert(observers_.begin(), observer);
  show();
}

void Recording::watch(const std::vector<chip::Observer*>& observers, bool noted) {
  observers_ = {client_observer_};
  if (noted) observers_.push_back(&boundaries_);
  observers_.insert(observers_.end(), observers.begin(), observers.end());
  std::erase(observers_, nullptr);
  show();
}

void Recording::show() {
  fan_.set(observers_);
  if (mode_ == Mode::kFrontier) chip_->observe(observers_.empty() ? nullptr : &fan_);
}

void Recording::resume(const Part::Needs& wanted) {
  if (!begun_) boundaries_.list.assign(1, {chip_->cycle(), chip_->counters().supersteps});
  if (begun_ ? snapshot_due(wanted) : keeps_snapshots()) take_snapshot();
  begun_ = true;
}

Recording::Segment Recording::segment(uint64_t limit, uint64_t budget, const Part::Needs& wanted) {
  const uint64_t now = chip_->cycle();
  uint64_t end = wanted.cycles != 0 ? std::min(limit, sum(now, wanted.cycles)) : limit;
  bool superstep = wanted.supersteps;
  if (keeps_snapshots()) {
    superstep |= snapshot_due(wanted);
    end = std::min(end, now < due(wanted) ? due(wanted) : std::max(late(due(wanted), wanted), now + 1));
  }
  // A chip that stands at a boundary has still to begin the superstep: the list knows of it.
  const uint64_t next = std::max(chip_->counters().supersteps, boundaries_.list.back().superstep) + 1;
  if (has_past_) chip_->stop_at_superstep(superstep ? next : kNoSuperstep);
  const chip::Stop stop = chip_->run(end, budget);
  const bool boundary = stop.reason == chip::StopReason::kSuperstep;
  if (boundary) boundaries_.note({stop.cycle, next});
  const bool cut = boundary || (stop.reason == chip::StopReason::kLimit && stop.cycle < limit);
  if (cut && snapshot_due(wanted) && (boundary || stop.cycle >= late(due(wanted), wanted))) take_snapshot();
  return {stop, cut};
}

uint64_t Recording::due(const Part::Needs& wanted) const { return sum(snapshots_.last().cycle, wanted.snapshot_every); }

bool Recording::snapshot_due(const Part::Needs& wanted) const {
  return keeps_snapshots() && chip_->cycle() >= due(wanted);
}

void Recording::take_snapshot() {
  const uint64_t cycle = chip_->cycle();
  if (!snapshots_.empty() && snapshots_.last().cycle == cycle) return;
  snapshots_.add({chip_->snapshot(), cycle, journal_.seal()});
  keep_within_memory();
}

void Recording::keep_within_memory() {
  const auto notes = [&] { return journal_.bytes() + boundaries_.list.size() * sizeof(Boundary); };
  while (!keeps_.whole_journal && snapshots_.size() > 1 && notes() > keeps_.memory / 2) {
    snapshots_.forget_first();
    journal_.forget_before(snapshots_.first().place);
    auto& list = boundaries_.list;
    const auto keep = std::upper_bound(list.begin(), list.end(), snapshots_.first().cycle,
                                       [](uint64_t cycle, const Boundary& b) { return cycle < b.cycle; });
    if (keep != list.begin()) list.erase(list.begin(), keep - 1);
  }
  snapshots_.thin_out(keeps_.memory - std::min(keeps_.memory, notes()));
}

void Recording::mark(uint64_t cycle, uint16_t value) {
  chip_->mark(cycle, value);
  if (journaling()) journal_.add({.call = Journal::Call::kMark, .data = value, .at = chip_->cycle(), .cycle = cycle});
}

void Recording::join(uint32_t chip, const spec::LinkTables& tables, chip::Grouped grouped) {
  chip_->join(chip, tables, grouped);
  journal_.of_linked_chip();
  joined_ = {chip, tables, grouped};
}

void Recording::join_likewise(chip::Chip& other) const {
  if (joined_) other.join(joined_->chip, joined_->tables, joined_->grouped);
}

void Recording::group_answer(uint64_t cycle, bool consensus) {
  const uint64_t at = chip_->cycle();
  chip_->group_answer(cycle, consensus);
  seen(at + 1);
  if (journaling()) journal_.add({.call = Journal::Call::kGroupAnswer, .data = consensus, .at = at, .cycle = cycle});
}

void Recording::link_in(const chip::LinkEvent& event) {
  chip_->link_in(event);
  seen(chip_->cycle() + 1);
  if (journaling()) journal_.add(Journal::LinkInput{chip_->cycle(), event});
}

std::vector<chip::LinkEvent> Recording::link_out() {
  std::vector<chip::LinkEvent> events = chip_->link_out();
  for (const chip::LinkEvent& event : events) seen(event.cycle + 1);
  return events;
}

void Recording::debug_write(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  const uint64_t at = chip_->cycle();
  chip_->debug_write(tile, space, context, address, data);
  host_has_seen();
  if (journaling()) journal_.add({Journal::Call::kDebugWrite, space, tile, context, address, data, 1, at});
}

uint32_t Recording::debug_read(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address) {
  const uint64_t at = chip_->cycle();
  const uint32_t data = chip_->debug_read(tile, space, context, address);
  host_has_seen();
  if (journaling()) journal_.add({Journal::Call::kDebugRead, space, tile, context, address, 0, 1, at});
  return data;
}

void Recording::load(unsigned tile, uint32_t address, std::span<const uint32_t> words) {
  const uint64_t at = chip_->cycle();
  chip_->load(tile, address, words);
  host_has_seen();
  if (journaling())
    journal_.add({.call = Journal::Call::kLoad,
                  .tile = tile,
                  .address = address,
                  .at = at,
                  .words = {words.begin(), words.end()}});
}

void Recording::reset() {
  chip_->reset();
  journal_.clear();
  snapshots_.clear();
  boundaries_.list.clear();
  live_ = nullptr;
  mode_ = Mode::kFrontier;
  begun_ = false;
  host_seen_ = 0;
}

bool Recording::reaches(uint64_t cycle, uint32_t host_address, size_t words, bool write) {
  if (mode_ != Mode::kFrontier || bus_ == nullptr || bus_->reaches(cycle, host_address, words, write)) return true;
  if (journaling()) journal_.add(chip::Journal::HostRefusal{cycle, host_address, words, write});
  return false;
}

void Recording::write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) {
  if (mode_ != Mode::kFrontier || bus_ == nullptr) return;
  host_seen_ = std::max(host_seen_, cycle);
  bus_->write(cycle, host_address, words);
}

uint64_t Recording::read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) {
  if (mode_ != Mode::kFrontier) return cycle;
  return answered(cycle, bus_ != nullptr ? bus_->read(cycle, host_address, words) : cycle, words);
}

bool Recording::remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) {
  if (mode_ != Mode::kFrontier) return true;
  if (bus_ != nullptr && bus_->remote_reaches(cycle, address, words, write)) return true;
  if (journaling()) journal_.add(chip::Journal::HostRefusal{cycle, address, words, write, true});
  return false;
}

void Recording::remote_write(uint64_t cycle, unsigned tile, uint64_t address, std::span<const uint32_t> words) {
  if (mode_ != Mode::kFrontier || bus_ == nullptr) return;
  host_seen_ = std::max(host_seen_, cycle);
  bus_->remote_write(cycle, tile, address, words);
}

uint64_t Recording::remote_read(uint64_t cycle, unsigned tile, uint64_t address, std::span<uint32_t> words) {
  if (mode_ != Mode::kFrontier) return cycle;
  return answered(cycle, bus_->remote_read(cycle, tile, address, words), words);
}

// A read that left in `cycle`, with what came.
uint64_t Recording::answered(uint64_t cycle, uint64_t arrival, std::span<const uint32_t> words) {
  host_seen_ = std::max(host_seen_, cycle);
  if (journaling()) journal_.add(chip::Journal::HostAnswer{arrival, {words.begin(), words.end()}});
  return arrival;
}

}  // namespace tessera::inspect
