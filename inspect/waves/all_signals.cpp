#include "inspect/waves/all_signals.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "inspect/trigger.h"
#include "inspect/waves/part.h"
#include "inspect/waves/save_file.h"
#include "program/followed_steps.h"
#include "sim/port/fabric_choice.h"

namespace tessera::inspect::waves {
namespace {

// Notes the supersteps of the window, with the steps of its lowest tile in them.
class AllSignalsPart : public Part, private chip::Observer {
 public:
  AllSignalsPart(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place)
      : options_(options), place_in_system_(place), gate_(options.wave_window, machine.tiles(), place) {
    // Where the build has none for the machine, GTKWave leaves its lines out.
    const bool usual = options.fabric.empty() && machine.tiles() <= chip::kUsualFabricTiles;
    if (usual || options.fabric == "rtl")
      fabric_ = FabricShape{machine.rows, machine.columns, machine.lanes, machine.blocks()};
  }

  chip::Observer* observer() override { return this; }
  Needs needs() const override { return {false, 65536, 0}; }
  void program_changed(const names::ProgramInfo& program) override {
    program_ = program;
    steps_.emplace(program_);
    gate_.program(program);
  }
  void at_boundary(Run& run, const chip::Stop&) override {
    const Run::Boundary boundary = run.boundary_before(run.position());
    gate_.stands_at(run.position(), boundary.superstep, boundary.cycle);
    end_ = run.position();
    superstep_ = boundary.superstep;
    ran_ = true;
    note(boundary.superstep, boundary.cycle);
  }
  void finish() override {
    if (!ran_) return;
    if (gate_.begin() == WindowGate::kNever || gate_.begin() >= end_) throw never_came(options_, end_, superstep_);
    SaveFile file = beside({}, options_.waves, "");
    for (const unsigned tile : gate_.tiles()) file.tiles.push_back(place_in_system_(tile));
    file.all_signals = true;
    file.fabric = fabric_;
    file.begin = gate_.begin();
    file.view = file.begin;
    file.end = std::max(file.begin, std::min(end_, gate_.end()));
    file.markers = markers_;
    write(file);
  }

 private:
  bool wants(unsigned tile) const override { return tile == gate_.tiles().front() && gate_.wants(tile); }
  void retire(unsigned tile, const chip::Retire& r) override {
    gate_.retire(tile, r);
    if (r.context != 0 || !steps_) return;
    const std::string& step =
        steps_->retire(tile, r.pc, r.reg_write && !r.reg_float ? r.reg : 0, static_cast<uint32_t>(r.reg_data));
    if (step.empty() || markers_.empty() || step_ == step) return;
    markers_.back().name += (step_.empty() ? " " : ", ") + step;
    step_ = step;
  }
  void superstep(uint64_t index, uint64_t cycle) override {
    gate_.superstep(index, cycle);
    end_ = cycle;
    superstep_ = index + 1;
    note(index + 1, cycle);
  }
  void note(uint64_t superstep, uint64_t cycle) {
    if (!gate_.inside(cycle) || (!markers_.empty() && markers_.back().cycle >= cycle)) return;
    markers_.push_back({cycle, fmt::format("{}", superstep)});
    step_.clear();
  }

  const Options options_;
  const spec::ChipPlace place_in_system_;
  std::optional<FabricShape> fabric_;
  WindowGate gate_;
  names::ProgramInfo program_;
  std::optional<names::FollowedSteps> steps_;  // of program_
  std::string step_;                           // last one added to the last marker
  uint64_t end_ = 0, superstep_ = 0;           // how far the run has come
  bool ran_ = false;
  std::vector<Marker> markers_;
};

}  // namespace

const std::vector<Scope>& all_signal_groups() {
  using enum Shown;
  // Outlives what the program destroys at its end: waves may be closed then.
  static const auto& groups = *new std::vector<Scope>{
      {"", "time", false, {{"cycle_i", 64, Decimal, Names::None, 0}, {"slot_i", 3, Decimal, Names::None, 0}}},
      {"",
       "retired",
       false,
       {{"observe_o.retire_valid", 1, Single, Names::None, 2},
        {"observe_o.context_id", 3, Hex, Names::Contexts, 3},
        {"observe_o.pc", 32, Hex, Names::None, 3},
        {"observe_o.instruction", 32, Hex, Names::Instructions, 3},
        {"observe_o.reg_write", 1, Single, Names::None, 0},
        {"observe_o.reg_float", 1, Single, Names::None, 0},
        {"observe_o.reg_number", 5, Decimal, Names::None, 0},
        {"observe_o.reg_data", 64, Hex, Names::None, 0},
        {"observe_o.mem_write", 1, Single, Names::None, 0},
        {"observe_o.mem_address", 32, Hex, Names::None, 0},
        {"observe_o.mem_data", 64, Hex, Names::None, 0}}},
      {"",
       "contexts",
       false,
       {{"tile.active", 6, Binary, Names::None, 5},
        {"tile.supervisor_waits", 1, Single, Names::None, 5},
        {"tile.supervisor_issues", 1, Single, Names::None, 5},
        {"tile.u_front.u_issue.worker_pc_q[0]", 32, Hex, Names::None, 0},
        {"tile.u_front.u_issue.worker_pc_q[1]", 32, Hex, Names::None, 0},
        {"tile.u_front.u_issue.worker_pc_q[2]", 32, Hex, Names::None, 0},
        {"tile.u_front.u_issue.worker_pc_q[3]", 32, Hex, Names::None, 0},
        {"tile.u_front.u_issue.worker_pc_q[4]", 32, Hex, Names::None, 0},
        {"tile.u_front.u_issue.worker_pc_q[5]", 32, Hex, Names::None, 0}}},
      {"",
       "stages",
       true,
       {{"tile.x1.valid", 1, Single, Names::None, 2},
        {"tile.x1.context_id", 3, Hex, Names::Contexts, 3},
        {"tile.x1.pc", 32, Hex, Names::None, 3},
        {"tile.x1.word", 32, Hex, Names::Instructions, 3},
        {"tile.x2.valid", 1, Single, Names::None, 2},
        {"tile.x2.context_id", 3, Hex, Names::Contexts, 3},
        {"tile.x2.pc", 32, Hex, Names::None, 3},
        {"tile.x2.word", 32, Hex, Names::Instructions, 3},
        {"tile.m.valid", 1, Single, Names::None, 2},
        {"tile.m.context_id", 3, Hex, Names::Contexts, 3},
        {"tile.m.pc", 32, Hex, Names::None, 3},
        {"tile.m.word", 32, Hex, Names::Instructions, 3},
        {"tile.w.valid", 1, Single, Names::None, 2},
        {"tile.w.context_id", 3, Hex, Names::Contexts, 3},
        {"tile.w.pc", 32, Hex, Names::None, 3},
        {"tile.w.word", 32, Hex, Names::Instructions, 3}}},
      {"",
       "sync",
       false,
       {{"sync_o.valid", 1, Single, Names::None, 6},
        {"sync_o.zone", 4, Hex, Names::Zones, 6},
        {"sync_o.value", 1, Single, Names::None, 6},
        {"sync_i.ack", 1, Single, Names::None, 6},
        {"sync_i.zone", 4, Hex, Names::Zones, 6},
        {"sync_i.consensus", 1, Single, Names::None, 6},
        {"sync_i.mark", 16, Decimal, Names::None, 6}}},
      {"",
       "exchange",
       false,
       {{"exchanging_o", 1, Single, Names::None, 4},
        {"exchange_valid_o", 1, Single, Names::None, 4},
        {"exchange_data_o", 32, Hex, Names::None, 4},
        {"exchange_select_o", 11, Hex, Names::Tiles, 4},
        {"exchange_valid_i", 1, Single, Names::None, 4},
        {"exchange_data_i", 32, Hex, Names::None, 4},
        {"paired_o", 1, Single, Names::None, 4},
        {"pair_valid_o", 1, Single, Names::None, 4},
        {"pair_data_o", 32, Hex, Names::None, 4},
        {"pair_valid_i", 1, Single, Names::None, 4},
        {"pair_data_i", 32, Hex, Names::None, 4}}},
      {"",
       "packets",
       true,
       {{"packet_request_o", 1, Single, Names::None, 7},
        {"packet_grant_i", 1, Single, Names::None, 7},
        {"packet_valid_o", 1, Single, Names::None, 7},
        {"packet_last_o", 1, Single, Names::None, 7},
        {"packet_data_o", 32, Hex, Names::None, 7},
        {"packet_valid_i", 1, Single, Names::None, 7},
        {"packet_first_i", 1, Single, Names::None, 7},
        {"packet_data_i", 32, Hex, Names::None, 7}}},
      {"",
       "exceptions",
       false,
       {{"exception_o", 1, Single, Names::None, 1},
        {"observe_o.exception", 4, Hex, Names::Causes, 1},
        {"idle_o", 1, Single, Names::None, 0}}},
  };
  return groups;
}

std::unique_ptr<Part> make_all_signals_part(const Options& options, const spec::Machine& machine,
                                            const spec::ChipPlace& place) {
  return std::make_unique<AllSignalsPart>(options, machine, place);
}

}  // namespace tessera::inspect::waves
