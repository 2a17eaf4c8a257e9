#include "functional_points.h"

#include <ostream>

#include "point_names.h"

namespace tessera::test {

using spec::Opcode;

namespace {

constexpr const char* kSansWaits = "automatic syncs: so many that a sans waits";
constexpr const char* kSyncWaits = "automatic syncs: before a sync of the supervisor";
constexpr const char* kExchanges = "automatic syncs: outstanding in an exchange";
constexpr const char* kAcknowledged = "automatic syncs: acknowledged";
constexpr const char* kArmed = "automatic syncs: acknowledged with an armed sequencer";

}  // namespace

void FunctionalPoints::add(std::string name) {
  if (!index_.emplace(name, points_.size()).second) return;
  points_.push_back({std::move(name)});
}

void FunctionalPoints::hit(const std::string& name) {
  const auto found = index_.find(name);
  if (found != index_.end()) ++points_[found->second].count;
}

FunctionalPoints::FunctionalPoints() {
  add_exceptions();  // point 0 is not an instruction's
  add_instructions();
  for (unsigned set = 0; set < 64; ++set)
    for (const bool supervisor : {false, true}) add(slots_name(set, supervisor));
  add_rounding();
  add_float_control();
  add_repeats();
  add_automatic_syncs();
}

void FunctionalPoints::write(std::ostream& out) const {
  for (const auto& point : points_) out << point.count << ' ' << point.name << '\n';
}

void FunctionalPoints::add_instructions() {
  for (unsigned n = 0; n < spec::kOpcodes; ++n) {
    const auto& info = spec::info(static_cast<Opcode>(n));
    for (const bool worker : {false, true}) {
      if (info.who == (worker ? spec::Who::Supervisor : spec::Who::Worker)) continue;
      instruction_[2 * n + worker] = points_.size();
      add("instruction " + std::string(info.mnemonic) + (worker ? " in a worker" : " in the supervisor"));
    }
  }
}

void FunctionalPoints::before_step(const model::TileState& tile) {
  was_excepted_ = tile.excepted();
  active_now_ = tile.workers.active();
  for (unsigned n = 0; n < model::kContexts; ++n) left_[n] = tile.floats[n].repeat.left;
  sequencer_ = tile.sequencer;
  packets_ = tile.packets;
  words_ = tile.words;
}

void FunctionalPoints::after_step(const model::TileState& tile, const chip::Retire& record,
                                  const chip::TileInputs& in) {
  if (in.debug_valid && in.debug_write && in.debug_space == chip::DebugSpace::kControl &&
      in.debug_address == spec::DebugControl::kStart)
    for (unsigned n = 1; n < model::kContexts; ++n)
      if (left_[n] != 0 && tile.floats[n].repeat.left == 0) hit("repeat: cleared by start");
  if (was_excepted_) {
    steady_ = 0;
    return;
  }
  if (record.valid) {
    retired(tile, record);
  } else if (tile.excepted()) {
    port_fault(tile, in);
  }
  count_slots(tile, in.cycle);
  count_automatic_syncs(tile, in.cycle);
}

void FunctionalPoints::add_automatic_syncs() {
  for (const char* name : {kSansWaits, kSyncWaits, kExchanges, kAcknowledged, kArmed}) add(name);
}

void FunctionalPoints::count_automatic_syncs(const model::TileState& tile, uint64_t cycle) {
  const uint64_t next = cycle + 1;
  const bool acknowledged = tile.sync.lowered == next;
  if (acknowledged) hit(kAcknowledged);
  if (acknowledged && tile.sequencer.armed_event() != 0) hit(kArmed);
  if (tile.sync.automatic == 0) return;
  if (tile.sans_waits(next)) hit(kSansWaits);
  if (tile.sync.waits_in(next)) hit(kSyncWaits);
  if (tile.sequencer.exchanging()) hit(kExchanges);
}

// A set of workers counts when it was active for a whole rotation: with the supervisor, when that issued in it.
void FunctionalPoints::count_slots(const model::TileState& tile, uint64_t cycle) {
  const auto& issued = tile.pipeline[cycle & 7];
  const bool supervisor = issued.valid && issued.cycle == cycle && issued.context == model::kSupervisor;
  supervisor_ago_ = supervisor ? 0 : supervisor_ago_ + 1;
  steady_ = active_now_ == active_ && !tile.excepted() ? steady_ + 1 : 0;
  active_ = active_now_;
  if (steady_ >= 6) hit(slots_name(active_, supervisor_ago_ < 6));
}

void FunctionalPoints::retired(const model::TileState& tile, const chip::Retire& record) {
  const auto decoded = model::predecode(record.instruction);
  const bool worker = record.context != model::kSupervisor;
  const auto raises = decoded.opcode == Opcode::Illegal ? spec::Raises::kNone : spec::info(decoded.opcode).raises;
  const bool meant = raises == spec::Raises::kTrap || raises == spec::Raises::kBreak;
  if (decoded.opcode != Opcode::Illegal && (record.exception == 0 || meant)) {
    const size_t point = instruction_[2 * static_cast<unsigned>(decoded.opcode) + worker];
    if (point) ++points_[point].count;
  }
  if (record.exception) {
    excepted(tile, decoded, record);
  } else if (worker) {
    count_rounding(tile.floats[record.context], decoded, record);
    count_float_control(tile.floats[record.context], decoded, record);
  }
  if (worker) count_repeats(tile, decoded, record);
}

}  // namespace tessera::test
