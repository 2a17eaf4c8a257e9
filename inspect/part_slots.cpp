#include "inspect/part_slots.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace tessera::inspect {
namespace {

// What of the options a part of the kind is made by, of those that can change while a program runs.
template <class O>
auto waves_of(O& o) {
  return std::tie(o.waves, o.wave_window, o.wave_all_signals);
}
template <class O>
auto trace_of(O& o) {
  return std::tie(o.trace, o.trace_window, o.trace_registers);
}
template <class O>
auto gdb_of(O& o) {
  return std::tie(o.gdb, o.gdb_tiles, o.gdb_halt, o.gdb_file);
}

bool equal_beside_those(Options a, const Options& b) {
  waves_of(a) = waves_of(b);
  trace_of(a) = trace_of(b);
  gdb_of(a) = gdb_of(b);
  return a == b;
}

}  // namespace

PartSlots::PartSlots(const std::string& options, MakePart make_part, unsigned machine_tiles,
                     const spec::ChipPlace& place)
    : make_part_(std::move(make_part)),
      machine_tiles_(machine_tiles),
      place_(place),
      options_text_(options),
      options_(parse_options(options)) {
  check_tiles(options_, machine_tiles_, place_);
  for (size_t kind = 0; kind < kPartKinds; ++kind) make(static_cast<PartKind>(kind));
}

void PartSlots::make(PartKind kind) { slot(kind) = {make_part_ ? make_part_(kind, options_) : nullptr, true}; }

bool PartSlots::empty() const {
  return std::none_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.part != nullptr; });
}

Part::Needs PartSlots::needs() const {
  Part::Needs all{false, 0, 0};
  const auto finest = [](uint64_t a, uint64_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); };
  for (const Slot& slot : slots_) {
    if (!slot.part) continue;
    const Part::Needs one = slot.part->needs();
    all.supersteps |= one.supersteps;
    all.cycles = finest(all.cycles, one.cycles);
    all.snapshot_every = finest(all.snapshot_every, one.snapshot_every);
  }
  return all;
}

std::vector<chip::Observer*> PartSlots::observers() const {
  std::vector<chip::Observer*> all;
  for (const Slot& slot : slots_)
    if (slot.part) all.push_back(slot.part->observer());
  return all;
}

std::optional<unsigned> PartSlots::objection() const {
  for (const Slot& slot : slots_)
    if (const auto tile = slot.part ? slot.part->objects_to() : std::nullopt) return tile;
  return std::nullopt;
}

bool PartSlots::leave_files() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.part && s.part->leaves_file(); });
}

std::string PartSlots::notice() {
  std::string all;
  for (Slot& slot : slots_) {
    if (!slot.part || std::exchange(slot.silent, true)) continue;
    if (const std::string one = slot.part->notice(); !one.empty()) all += (all.empty() ? "" : "\n") + one;
  }
  return all;
}

std::vector<int> PartSlots::wake_descriptors() const {
  std::vector<int> all;
  for (const Slot& slot : slots_)
    if (slot.part && slot.part->wake_descriptor() >= 0) all.push_back(slot.part->wake_descriptor());
  return all;
}

void PartSlots::each(const std::function<void(Part&)>& call) {
  for (Slot& slot : slots_)
    if (slot.part) call(*slot.part);
}

void PartSlots::each_at_boundary(bool fresh_only, const std::function<void(Part&)>& call) {
  for (Slot& slot : slots_) {
    if (!slot.part || (fresh_only && !slot.fresh)) continue;
    slot.fresh = false;
    call(*slot.part);
  }
}

void PartSlots::program_changed(const names::ProgramInfo& program) {
  for (Slot& slot : slots_) {
    if (slot.part) slot.part->program_changed(program);
    slot.fresh = true;
  }
}

void PartSlots::finish(const std::vector<PartKind>& kinds) {
  std::string errors;
  for (const PartKind kind : kinds) {
    const std::unique_ptr<Part> part = std::move(slot(kind).part);
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

void PartSlots::forget_options_of(const std::vector<PartKind>& kinds) {
  static constexpr const char* kOff[kPartKinds] = {"waves=", "trace=", "check=false", "", "gdb=", "progress=0"};
  for (const PartKind kind : kinds) options_text_ = merge(options_text_, kOff[static_cast<size_t>(kind)]);
  options_ = parse_options(options_text_);
}

void PartSlots::change_options(const std::string& options, const names::ProgramInfo& program) {
  const std::string merged = merge(options_text_, options);
  const Options now = parse_options(merged);
  check_tiles(now, machine_tiles_, place_);
  if (!equal_beside_those(options_, now))
    throw BadOption("while a program runs only waves, trace and gdb can be turned on and off, not '" + options + "'");
  std::vector<PartKind> renewed;
  if (waves_of(now) != waves_of(options_)) renewed.push_back(PartKind::kWaves);
  if (trace_of(now) != trace_of(options_)) renewed.push_back(PartKind::kTrace);
  if (gdb_of(now) != gdb_of(options_)) {
    if (!options_.gdb.empty()) throw BadOption("inspection option 'gdb': the debugger's port is open already");
    renewed.push_back(PartKind::kGdb);
  }
  finish(renewed);  // a new part may want the old one's file
  options_ = now;
  options_text_ = merged;
  try {
    for (const PartKind kind : renewed) {
      make(kind);
      if (slot(kind).part) slot(kind).part->program_changed(program);
    }
  } catch (...) {
    // What was to be begun is not, and what there was has ended.
    for (const PartKind kind : renewed) slot(kind).part = nullptr;
    forget_options_of(renewed);
    throw;
  }
}

}  // namespace tessera::inspect
