#include "inspect/recorded_run.h"

#include <algorithm>
#include <utility>

#include "rtl/spec/machine.h"

namespace tessera::inspect {
namespace {

// Snapshots cost some per cent of an RTL run then, and less of the model's: like the run they grow with the tiles.
constexpr uint64_t kSnapshotEvery = 100'000;
// Parts are told within a second or so, also by large machines.
constexpr uint64_t kSegmentTileCycles = 1 << 20, kLeastSegment = 1024;
constexpr size_t kMebibyte = 1 << 20;

std::unique_ptr<Recording> record(std::unique_ptr<chip::Chip> chip, const Options& options, bool whole_journal) {
  return std::make_unique<Recording>(
      std::move(chip), Recording::Keeps{options.snapshots, options.snapshot_memory * kMebibyte, whole_journal});
}

}  // namespace

RecordedRun::RecordedRun(std::unique_ptr<chip::Chip> chip, const std::string& options, MakePart make_part,
                         MakeWaveChip make_wave_chip, const spec::ChipPlace& place)
    : ForwardingChip(record(std::move(chip), parse_options(options), make_wave_chip != nullptr)),
      parts_(options, std::move(make_part), machine().tiles(), place),
      recording_(static_cast<Recording&>(*chip_)),
      make_wave_chip_(std::move(make_wave_chip)),
      place_(place),
      among_others_(place.chips > 1) {
  watch();
}

Part::Needs RecordedRun::needs() const {
  Part::Needs all = parts_.needs();
  if (all.supersteps || all.cycles != 0) {
    const uint64_t most = std::max(kLeastSegment, kSegmentTileCycles / machine().tiles());
    all.cycles = all.cycles == 0 ? most : std::min(all.cycles, most);
  }
  if (parts_.options().snapshot_every != 0) all.snapshot_every = parts_.options().snapshot_every;
  if (all.snapshot_every == 0) all.snapshot_every = kSnapshotEvery;
  return all;
}

void RecordedRun::watch() {
  recording_.watch(parts_.observers(), recorded());
  holds_files_ = parts_.leave_files();
}

chip::Stop RecordedRun::run(uint64_t limit, uint64_t budget) {
  explained_ = false;
  try {
    return last_stop_ = recorded() ? run_segments(limit, budget) : recording_.run(limit, budget);
  } catch (const chip::LockstepDifference& difference) {
    const std::string of_chip = among_others_ ? "chip " + std::to_string(place_.chip) + ": " : std::string();
    throw chip::LockstepDifference(of_chip + difference.what() + tell_difference(difference), difference.where);
  }
}

chip::Stop RecordedRun::run_segments(uint64_t limit, uint64_t budget) {
  const bool begun = recording_.begun();
  recording_.resume(needs());
  tell_parts({begun ? chip::StopReason::kLimit : chip::StopReason::kSuperstep, cycle(), chip::kNoTile}, begun);
  for (;;) {
    const Part::Needs wanted = needs();
    watch();
    const auto [stop, cut] = recording_.segment(limit, budget, wanted);
    const bool changed = tell_parts(stop, false);
    if (abandoned()) throw Abandoned();
    if (const auto tile = parts_.objection()) return {chip::StopReason::kException, cycle(), *tile};
    if (cut || changed) continue;
    if (!among_others_) recording_.host_has_seen();
    return stop;
  }
}

bool RecordedRun::tell_parts(const chip::Stop& stop, bool fresh_only) {
  changed_ = false;
  parts_.each_at_boundary(fresh_only, [&](Part& part) {
    const Recording::Return after(recording_);
    part.at_boundary(*this, stop);
  });
  return changed_;
}

std::string RecordedRun::ask_parts(const std::function<std::string(Part&)>& question) {
  std::string all;
  parts_.each([&](Part& part) {
    const Recording::Return after(recording_);
    const std::string text = question(part);
    if (text.empty()) return;
    if (!all.empty()) all += '\n';
    all += text;
  });
  return all;
}

std::string RecordedRun::tell_difference(const chip::LockstepDifference& difference) {
  std::string text;
  if (make_wave_chip_ && difference.where.tile != chip::kNoTile)
    text = leave_wave(
        [&](const std::string& path, unsigned tile, uint64_t superstep) {
          auto chip = make_wave_chip_(path, tile, superstep);
          recording_.join_likewise(*chip);
          return chip;
        },
        recording_.journal(), difference.where, cycle(), place_);
  if (!recording_.stand_at_difference(difference.where)) return text;
  const std::string story = ask_parts([&](Part& part) { return part.explain_difference(*this, difference); });
  return story.empty() ? text : text + "\n" + story;
}

void RecordedRun::reset() {
  if (recording_.begun() && !told_of_program_) set_program(std::move(program_), false);
  recording_.reset();
  told_of_program_ = false;
  last_stop_ = {};
  explained_ = true;
  explanation_.clear();
}

void RecordedRun::set_program(names::ProgramInfo program, bool already_there) {
  program_ = std::move(program);
  if (already_there) return;
  told_of_program_ = true;
  parts_.program_changed(program_);
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
  if (!recording_.begun()) return "";
  return ask_parts([&](Part& part) { return part.explain_check(*this, what, tiles); });
}

template <class Change>
void RecordedRun::change_parts(Change change) {
  try {
    change();
  } catch (...) {
    watch();  // parts may have ended all the same
    throw;
  }
  watch();
}

void RecordedRun::finish_parts(const std::vector<PartKind>& kinds) {
  // The chip's own waves first: a part may look whether they are there.
  std::string errors;
  try {
    recording_.held().close_files();
  } catch (const std::exception& error) {
    errors = error.what();
  }
  try {
    change_parts([&] { parts_.finish(kinds); });
  } catch (const std::exception& error) {
    errors += (errors.empty() ? "" : "; ") + std::string(error.what());
  }
  if (!errors.empty()) throw std::runtime_error(errors);
}

void RecordedRun::finish() { finish_parts({PartKind::kWaves, PartKind::kTrace}); }

void RecordedRun::finish_all() {
  finish_parts(
      {PartKind::kWaves, PartKind::kTrace, PartKind::kCheck, PartKind::kFailure, PartKind::kGdb, PartKind::kProgress});
}

std::vector<int> RecordedRun::wake_descriptors() const {
  return recording_.begun() ? parts_.wake_descriptors() : std::vector<int>();
}

void RecordedRun::wake(int descriptor) {
  parts_.each([&](Part& part) {
    if (part.wake_descriptor() != descriptor) return;
    const Recording::Return after(recording_);
    part.at_boundary(*this, last_stop_);
  });
}

bool RecordedRun::change(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  if (position() < frontier() && parts_.leave_files())
    throw std::runtime_error("waves or a trace record the run up to cycle " + std::to_string(frontier()) +
                             ": finish them before changing what came before");
  const bool made = recording_.change(tile, space, context, address, data);
  changed_ = true;
  return made;
}

void RecordedRun::inspect(const std::string& options) {
  change_parts([&] { parts_.change_options(options, program_); });
}

}  // namespace tessera::inspect
