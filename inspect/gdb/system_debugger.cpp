#include "inspect/gdb/system_debugger.h"

#include <algorithm>
#include <utility>

#include "inspect/gdb/of_chip.h"
#include "inspect/gdb/server.h"
#include "inspect/gdb/target.h"

namespace tessera::inspect::gdb {

// What the server is of one chip: its records, and how its past is kept.
class SystemDebugger::ChipPart : public Part {
 public:
  ChipPart(SystemDebugger& whole, unsigned chip) : whole_(whole), chip_(chip) {}
  ~ChipPart() override { finish(); }

  chip::Observer* observer() override {
    chip::Observer* const observer = whole_.server_->observer();
    if (observer == nullptr) return nullptr;
    watching_ = std::make_unique<OfChip>(*observer, chip_ * whole_.tiles_of_chip_);
    return watching_.get();
  }
  // How often it looks at a run is for the rounds.
  Needs needs() const override {
    Needs needs = whole_.server_->needs();
    needs.cycles = 0;
    return needs;
  }
  // While the chips run it looks between their rounds; else somebody has asked for it.
  void at_boundary(Run&, const chip::Stop&) override {
    if (chip_ == 0 && !whole_.running_) whole_.wake();
  }
  std::string notice() const override { return chip_ == 0 ? whole_.server_->notice() : ""; }
  int wake_descriptor() const override { return chip_ == 0 ? whole_.server_->wake_descriptor() : -1; }
  void program_changed(const names::ProgramInfo&) override {
    whole_.reached_ = 0;
    whole_.server_->program_changed(chip_);
  }
  void finish() override { whole_.finish(chip_); }

 private:
  SystemDebugger& whole_;
  const unsigned chip_;
  std::unique_ptr<OfChip> watching_;
};

SystemDebugger::SystemDebugger(unsigned tiles_of_chip, unsigned chips)
    : tiles_of_chip_(tiles_of_chip), chips_(chips), open_(chips) {}

SystemDebugger::~SystemDebugger() = default;

std::unique_ptr<Part> SystemDebugger::make_part(const Options& options, const spec::ChipPlace& place) {
  if (options.gdb.empty()) return nullptr;
  if (!server_) {
    std::vector<unsigned> tiles;
    for (unsigned chip = 0; chip < chips_; ++chip)
      for (const unsigned tile : options.gdb_tiles.of(tiles_of_chip_, {chip, chips_}))
        tiles.push_back(chip * tiles_of_chip_ + tile);
    server_ = std::make_unique<Server>(options, std::move(tiles), chips_ * tiles_of_chip_, chips_);
  }
  open_[place.chip] = true;
  return std::make_unique<ChipPart>(*this, place.chip);
}

void SystemDebugger::look_into(std::vector<RecordedRun*> runs) { runs_ = std::move(runs); }

void SystemDebugger::finish(unsigned chip) {
  if (!open_[chip]) return;
  open_[chip] = false;
  server_->finish();
  if (std::ranges::find(open_, true) == open_.end()) server_ = nullptr;
}

uint64_t SystemDebugger::longest() const {
  const uint64_t cycles = server_ ? server_->needs().cycles : 0;
  return cycles != 0 ? cycles : ~uint64_t{0};
}

std::vector<bool> SystemDebugger::look(const Moment& moment) {
  if (!server_) return {};
  last_ = moment;
  std::vector<Target::Standing> standings;
  for (const Standing& chip : moment.chips) standings.push_back({chip.stop, chip.moves, std::max(chip.from, reached_)});
  Target target(std::vector<Run*>(runs_.begin(), runs_.end()));
  target.stand(std::move(standings), moment);
  std::vector<std::unique_ptr<RecordedRun::Visit>> visits;
  for (RecordedRun* run : runs_) visits.push_back(run->visit());
  server_->at_boundary(target);
  reached_ = target.frontier();
  return target.changed();
}

void SystemDebugger::end() {
  running_ = false;
  for (RecordedRun* run : runs_) run->host_has_seen();
}

// The chips stand as they were left.
void SystemDebugger::wake() {
  if (last_.chips.size() == chips_) look(last_);
}

}  // namespace tessera::inspect::gdb
