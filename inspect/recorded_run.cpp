#include "inspect/recorded_run.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "rtl/spec/machine.h"
#include "sim/port/lockstep_difference.h"

namespace tessera::inspect {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
// Snapshots cost some per cent of an RTL run then, and less of the model's: like the run they grow with the tiles.
constexpr uint64_t kSnapshotEvery = 100'000;
// Parts are told within a second or so, also by large machines.
constexpr uint64_t kSegmentTileCycles = 1 << 20, kLeastSegment = 1024;
constexpr size_t kMebibyte = 1 << 20;

uint64_t sum(uint64_t a, uint64_t b) { return a > kNever - b ? kNever : a + b; }

// A snapshot is best at a boundary, where the next one takes it once it is due; a long superstep gets one inside.
uint64_t late(uint64_t due, const Part::Needs& wanted) { return sum(due, wanted.snapshot_every / 2); }

}  // namespace

RecordedRun::RecordedRun(std::unique_ptr<chip::Chip> chip, const std::string& options, MakePart make_part)
    : chip_(std::move(chip)),
      make_part_(std::move(make_part)),
      options_text_(options),
      options_(parse_options(options)),
      fan_(chip_->machine().tiles()) {
  check_tiles(options_, machine().tiles());
  if (::pipe2(abandoned_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for the recorded run");
  try {
    chip_->stop_at_superstep(kNoSuperstep);
    has_past_ = true;
  } catch (const std::logic_error&) {
    // A chip that neither stops at supersteps nor gives snapshots is run all the same.
  }
  chip_->attach(this);
  for (size_t kind = 0; kind < kPartKinds; ++kind) this->make_part(static_cast<PartKind>(kind));
  watch();
}

RecordedRun::~RecordedRun() {
  chip_->observe(nullptr);
  chip_->attach(nullptr);
  ::close(abandoned_[0]);
  ::close(abandoned_[1]);
}

void RecordedRun::make_part(PartKind kind) {
  Slot& slot = slots_[static_cast<size_t>(kind)];
  slot = {make_part_ ? make_part_(kind, options_) : nullptr, true};
}

bool RecordedRun::recording() const {
  return (options_.snapshots && has_past_) ||
         std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.part != nullptr; });
}

Part::Needs RecordedRun::needs() const {
  Part::Needs all{false, 0, 0};
  const auto finest = [](uint64_t a, uint64_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); };
  for (const Slot& slot : slots_) {
    if (!slot.part) continue;
    const Part::Needs one = slot.part->needs();
    all.supersteps |= one.supersteps;
    all.cycles = finest(all.cycles, one.cycles);
    all.snapshot_every = finest(all.snapshot_every, one.snapshot_every);
  }
  if (all.supersteps || all.cycles != 0)
    all.cycles = finest(all.cycles, std::max(kLeastSegment, kSegmentTileCycles / machine().tiles()));
  if (options_.snapshot_every != 0) all.snapshot_every = options_.snapshot_every;
  if (all.snapshot_every == 0) all.snapshot_every = kSnapshotEvery;
  if (!options_.snapshots || !has_past_) all.snapshot_every = 0;
  return all;
}

void RecordedRun::watch() {
  std::vector<chip::Observer*> all = {client_observer_};
  if (recording()) all.push_back(&boundaries_);
  for (const Slot& slot : slots_)
    if (slot.part) all.push_back(slot.part->observer());
  fan_.set(all);
  chip_->observe(fan_.observers().empty() ? nullptr : &fan_);
  holds_files_ = leaves_files();
}

void RecordedRun::observe(chip::Observer* observer) {
  client_observer_ = observer;
  watch();
}

chip::Stop RecordedRun::run(uint64_t limit, uint64_t budget) {
  explained_ = false;
  if (!recording()) return last_stop_ = chip_->run(limit, budget);
  if (!started_) {
    boundaries_.list.assign(1, {chip_->cycle(), chip_->counters().supersteps});
    if (options_.snapshots && has_past_) take_snapshot();
  }
  if (started_ && snapshot_due(needs())) take_snapshot();
  tell_parts({started_ ? chip::StopReason::kLimit : chip::StopReason::kSuperstep, chip_->cycle(), chip::kNoTile},
             started_);
  started_ = true;
  for (;;) {
    const Part::Needs wanted = needs();
    watch();
    const chip::Stop stop = run_segment(limit, budget, wanted);
    const bool cut =
        stop.reason == chip::StopReason::kSuperstep || (stop.reason == chip::StopReason::kLimit && stop.cycle < limit);
    if (cut && snapshot_due(wanted) &&
        (stop.reason == chip::StopReason::kSuperstep || stop.cycle >= late(due(wanted), wanted)))
      take_snapshot();
    const bool changed = tell_parts(stop, false);
    if (abandoned()) throw Abandoned();
    if (cut || changed) continue;
    host_seen_ = chip_->cycle();
    return last_stop_ = stop;
  }
}

// To the next superstep if parts want it, and no further than the next snapshot is due or parts want to be told.
chip::Stop RecordedRun::run_segment(uint64_t limit, uint64_t budget, const Part::Needs& wanted) {
  const uint64_t now = chip_->cycle();
  uint64_t end = wanted.cycles != 0 ? std::min(limit, sum(now, wanted.cycles)) : limit;
  bool superstep = wanted.supersteps;
  if (wanted.snapshot_every != 0) {
    superstep |= snapshot_due(wanted);
    end = std::min(end, now < due(wanted) ? due(wanted) : std::max(late(due(wanted), wanted), now + 1));
  }
  // A chip that stands at a boundary has still to begin the superstep: the list knows of it.
  const uint64_t next = std::max(chip_->counters().supersteps, boundaries_.list.back().superstep) + 1;
  if (has_past_) chip_->stop_at_superstep(superstep ? next : kNoSuperstep);
  chip::Stop stop;
  try {
    stop = chip_->run(end, budget);
  } catch (const chip::LockstepDifference& difference) {
    const std::string story = tell_difference(difference);
    throw chip::LockstepDifference(difference.what() + (story.empty() ? "" : "\n" + story), difference.where);
  }
  if (stop.reason == chip::StopReason::kSuperstep) boundaries_.note({stop.cycle, next});
  return stop;
}

uint64_t RecordedRun::due(const Part::Needs& wanted) const {
  return sum(snapshots_.last().cycle, wanted.snapshot_every);
}

bool RecordedRun::snapshot_due(const Part::Needs& wanted) const {
  return wanted.snapshot_every != 0 && chip_->cycle() >= due(wanted);
}

void RecordedRun::take_snapshot() {
  const uint64_t cycle = chip_->cycle();
  if (!snapshots_.empty() && snapshots_.last().cycle == cycle) return;
  snapshots_.add({chip_->snapshot(), cycle, journal_.seal()});
  keep_within_memory();
}

void RecordedRun::keep_within_memory() {
  const size_t most = options_.snapshot_memory * kMebibyte;
  const auto notes = [&] { return journal_.bytes() + boundaries_.list.size() * sizeof(Boundary); };
  while (snapshots_.size() > 1 && notes() > most / 2) {
    snapshots_.forget_first();
    journal_.forget_before(snapshots_.first().place);
    auto& list = boundaries_.list;
    const auto keep = std::upper_bound(list.begin(), list.end(), snapshots_.first().cycle,
                                       [](uint64_t cycle, const Boundary& b) { return cycle < b.cycle; });
    if (keep != list.begin()) list.erase(list.begin(), keep - 1);
  }
  snapshots_.thin_out(most - std::min(most, notes()));
}

bool RecordedRun::tell_parts(const chip::Stop& stop, bool fresh_only) {
  changed_ = false;
  for (Slot& slot : slots_) {
    if (!slot.part || (fresh_only && !slot.fresh)) continue;
    slot.fresh = false;
    const Return after(*this);
    slot.part->at_boundary(*this, stop);
  }
  return changed_;
}

void RecordedRun::mark(uint64_t cycle, uint16_t value) {
  chip_->mark(cycle, value);
  if (!snapshots_.empty())
    journal_.add({.call = RunJournal::Call::kMark, .data = value, .at = chip_->cycle(), .cycle = cycle});
}

void RecordedRun::debug_write(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address,
                              uint32_t data) {
  const uint64_t at = chip_->cycle();
  chip_->debug_write(tile, space, context, address, data);
  host_seen_ = chip_->cycle();
  if (!snapshots_.empty()) journal_.add({RunJournal::Call::kDebugWrite, space, tile, context, address, data, 1, at});
}

uint32_t RecordedRun::debug_read(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address) {
  const uint64_t at = chip_->cycle();
  const uint32_t data = chip_->debug_read(tile, space, context, address);
  host_seen_ = chip_->cycle();
  if (!snapshots_.empty()) journal_.add({RunJournal::Call::kDebugRead, space, tile, context, address, 0, 1, at});
  return data;
}

void RecordedRun::load(unsigned tile, uint32_t address, std::span<const uint32_t> words) {
  const uint64_t at = chip_->cycle();
  chip_->load(tile, address, words);
  host_seen_ = chip_->cycle();
  if (!snapshots_.empty())
    journal_.add({.call = RunJournal::Call::kLoad,
                  .tile = tile,
                  .address = address,
                  .at = at,
                  .words = {words.begin(), words.end()}});
}

void RecordedRun::reset() {
  if (started_ && !told_of_program_) set_program(std::move(program_), false);
  chip_->reset();
  journal_.clear();
  snapshots_.clear();
  boundaries_.list.clear();
  live_ = nullptr;
  mode_ = Mode::kLive;
  started_ = told_of_program_ = false;
  host_seen_ = 0;
  last_stop_ = {};
  explained_ = true;
  explanation_.clear();
}

void RecordedRun::write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) {
  if (mode_ != Mode::kLive || bus_ == nullptr) return;
  host_seen_ = std::max(host_seen_, cycle);
  bus_->write(cycle, host_address, words);
}

uint64_t RecordedRun::read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) {
  if (mode_ == Mode::kScratch) return cycle;
  if (mode_ == Mode::kPast) {
    const RunJournal::HostRead& given = journal_.read(place_.read++);
    if (given.words.size() != words.size())
      throw std::logic_error("the past does not repeat itself: another host read");
    std::copy(given.words.begin(), given.words.end(), words.begin());
    return given.arrival;
  }
  const uint64_t arrival = bus_ != nullptr ? bus_->read(cycle, host_address, words) : cycle;
  host_seen_ = std::max(host_seen_, cycle);
  if (!snapshots_.empty()) journal_.add(RunJournal::HostRead{arrival, {words.begin(), words.end()}});
  return arrival;
}

void RecordedRun::set_program(names::ProgramInfo program, bool already_there) {
  program_ = std::move(program);
  if (already_there) return;
  told_of_program_ = true;
  for (Slot& slot : slots_) {
    if (slot.part) slot.part->program_changed(program_);
    slot.fresh = true;
  }
}

std::string RecordedRun::ask_parts(const std::function<std::string(Part&)>& question) {
  std::string all;
  for (Slot& slot : slots_) {
    if (!slot.part) continue;
    const Return after(*this);
    const std::string text = question(*slot.part);
    if (text.empty()) continue;
    if (!all.empty()) all += '\n';
    all += text;
  }
  return all;
}

std::string RecordedRun::explain_failure() {
  if (explained_) return explanation_;
  explained_ = true;
  explanation_.clear();
  if (last_stop_.reason == chip::StopReason::kHostSync || last_stop_.reason == chip::StopReason::kLimit) return "";
  explanation_ = ask_parts([&](Part& part) { return part.explain_failure(*this, last_stop_); });
  return explanation_;
}

std::string RecordedRun::explain_check(const std::string& what, const std::vector<unsigned>& tiles) {
  if (!started_) return "";
  return ask_parts([&](Part& part) { return part.explain_check(*this, what, tiles); });
}

void RecordedRun::finish_parts(const std::vector<PartKind>& kinds) {
  std::string errors;
  for (const PartKind kind : kinds) {
    const std::unique_ptr<Part> part = std::move(slots_[static_cast<size_t>(kind)].part);
    if (!part) continue;
    try {
      part->finish();
    } catch (const std::exception& error) {
      if (!errors.empty()) errors += "; ";
      errors += error.what();
    }
  }
  forget_options_of(kinds);
  if (!errors.empty()) throw std::runtime_error(errors);
}

void RecordedRun::forget_options_of(const std::vector<PartKind>& kinds) {
  static constexpr const char* kOff[kPartKinds] = {"waves=", "trace=", "", "gdb="};
  for (const PartKind kind : kinds) options_text_ = merge(options_text_, kOff[static_cast<size_t>(kind)]);
  options_ = parse_options(options_text_);
  if (mode_ == Mode::kLive) watch();
}

void RecordedRun::finish() { finish_parts({PartKind::kWaves, PartKind::kTrace}); }

void RecordedRun::finish_all() {
  finish_parts({PartKind::kWaves, PartKind::kTrace, PartKind::kFailure, PartKind::kGdb});
}

std::vector<int> RecordedRun::wake_descriptors() const {
  std::vector<int> all;
  for (const Slot& slot : slots_)
    if (started_ && slot.part && slot.part->wake_descriptor() >= 0) all.push_back(slot.part->wake_descriptor());
  return all;
}

void RecordedRun::wake(int descriptor) {
  for (Slot& slot : slots_) {
    if (!slot.part || slot.part->wake_descriptor() != descriptor) continue;
    const Return after(*this);
    slot.part->at_boundary(*this, last_stop_);
  }
}

bool RecordedRun::leaves_files() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.part && s.part->leaves_file(); });
}

bool RecordedRun::abandon() {
  if (!holds_files_) return false;
  const char byte = 0;
  return ::write(abandoned_[1], &byte, 1) == 1;
}

bool RecordedRun::abandoned() const {
  pollfd end{abandoned_[0], POLLIN, 0};
  return ::poll(&end, 1, 0) > 0;
}

void RecordedRun::inspect(const std::string& options) {
  const std::string merged = merge(options_text_, options);
  const Options now = parse_options(merged);
  check_tiles(now, machine().tiles());
  const auto same_but = [](Options a, const Options& b) {
    a.waves = b.waves, a.wave_window = b.wave_window, a.wave_all_signals = b.wave_all_signals;
    a.trace = b.trace, a.trace_window = b.trace_window, a.trace_registers = b.trace_registers;
    a.gdb = b.gdb, a.gdb_tiles = b.gdb_tiles, a.gdb_halt = b.gdb_halt, a.gdb_file = b.gdb_file;
    return a == b;
  };
  if (!same_but(options_, now))
    throw BadOption("while a program runs only waves, trace and gdb can be turned on and off, not '" + options + "'");
  const auto waves = [](const Options& o) { return std::tie(o.waves, o.wave_window, o.wave_all_signals); };
  const auto trace = [](const Options& o) { return std::tie(o.trace, o.trace_window, o.trace_registers); };
  const auto gdb = [](const Options& o) { return std::tie(o.gdb, o.gdb_tiles, o.gdb_halt, o.gdb_file); };
  std::vector<PartKind> renewed;
  if (waves(now) != waves(options_)) renewed.push_back(PartKind::kWaves);
  if (trace(now) != trace(options_)) renewed.push_back(PartKind::kTrace);
  if (gdb(now) != gdb(options_)) {
    if (!options_.gdb.empty()) throw BadOption("inspection option 'gdb': the debugger's port is open already");
    renewed.push_back(PartKind::kGdb);
  }
  finish_parts(renewed);  // a new part may want the old one's file
  options_ = now;
  options_text_ = merged;
  try {
    for (const PartKind kind : renewed) {
      make_part(kind);
      if (Slot& slot = slots_[static_cast<size_t>(kind)]; slot.part) slot.part->program_changed(program_);
    }
  } catch (...) {
    // What was to be begun is not, and what there was has ended.
    for (const PartKind kind : renewed) slots_[static_cast<size_t>(kind)].part = nullptr;
    forget_options_of(renewed);
    throw;
  }
  if (mode_ == Mode::kLive) watch();
}

}  // namespace tessera::inspect
