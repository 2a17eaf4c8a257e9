#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "inspect/trigger.h"
#include "inspect/waves/all_signals.h"
#include "inspect/waves/fst_file.h"
#include "inspect/waves/part.h"
#include "inspect/waves/save_file.h"
#include "inspect/waves/tile_waves.h"

namespace tessera::inspect::waves {
namespace {

constexpr uint64_t kNever = WindowGate::kNever;
// What an instruction does is known at the latest so many cycles after its issue (tile_port.h).
constexpr uint64_t kLatest = 8;
// A superstep is written when it is over: then all of its steps are known, and whether an event in it begins the
// window. One with more records than these is written in parts.
constexpr size_t kHeldBack = 1u << 20;

// The second program of a run writes out.2.fst.
std::string path_of(const std::string& path, unsigned program) {
  const std::filesystem::path fst(path);
  if (program == 1) return path;
  return (fst.parent_path() / fmt::format("{}.{}{}", fst.stem().string(), program, fst.extension().string())).string();
}

// Names of vectors have their range, as GTKWave expects.
std::string fst_name(const Signal& signal) {
  return signal.bits == 1 ? signal.name : fmt::format("{} [{}:0]", signal.name, signal.bits - 1);
}

// Outlives what the program destroys at its end: waves may be closed then.
const std::vector<bool>& text_signals() {
  static const std::vector<bool>* const texts = [] {
    auto* made = new std::vector<bool>;
    for (const Scope& scope : tile_scopes())
      for (const Signal& signal : scope.signals) made->push_back(signal.bits == 0);
    return made;
  }();
  return *texts;
}

class WavePart : public Part, private chip::Observer {
 public:
  WavePart(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place)
      : options_(options),
        machine_(machine),
        place_in_system_(place),
        writer_(std::make_unique<FstWriter>(options.waves)) {
    begin_program();
  }

  chip::Observer* observer() override { return this; }
  Needs needs() const override { return {false, 65536, 0}; }
  bool leaves_file() const override { return shown_; }

  void program_changed(const names::ProgramInfo& program) override {
    if (shown_) {
      if (writer_) close();
      left_ = true;
      writer_ = std::make_unique<FstWriter>(path_of(options_.waves, ++program_number_));
    }
    info_ = program;
    begin_program();
    gate_->program(info_);
  }

  void at_boundary(Run& run, const chip::Stop&) override {
    if (!writer_) return;
    const uint64_t position = run.position();
    const Run::Boundary boundary = run.boundary_before(position);
    if (fresh_) {
      // What was before is not known: nothing begins before here.
      gate_->stands_at(position, boundary.superstep, position);
      for (const chip::TileWait& wait : run.chip().waits())
        if (gate_->shows(wait.tile)) tiles_[place_[wait.tile]].stands(wait);
      superstep_began_ = flushed_ = position;
      superstep_ = boundary.superstep;
    } else {
      gate_->stands_at(position, boundary.superstep, boundary.cycle);
    }
    fresh_ = false;
    ran_ = true;
    last_ = std::max(last_, position);
    const uint64_t known = position - std::min(position, kLatest);
    const bool ended = gate_->over() && known >= gate_->end();
    if (ended || held_back() > kHeldBack) flush(known);
    if (ended) close();
  }

  void finish() override {
    if (writer_) {
      flush(last_ + 1);
      close();
    }
    // Of several programs on a device one that shows the window is enough.
    if (ran_ && !shown_ && !left_) throw never_came(options_, last_, superstep_);
  }

 private:
  void begin_program() {
    gate_.emplace(options_.wave_window, machine_.tiles(), place_in_system_);
    shared_ = std::make_unique<TileWaves::Shared>(info_, machine_.tiles());
    tiles_.clear();
    place_.assign(machine_.tiles(), 0);
    for (unsigned tile : gate_->tiles()) {
      place_[tile] = static_cast<unsigned>(tiles_.size());
      tiles_.emplace_back(*shared_, tile, place_[tile]);
    }
    superstep_ = superstep_began_ = last_ = flushed_ = 0;
    begin_ = kNever;
    shown_ = named_ = false;
    fresh_ = true;
  }

  bool wants(unsigned tile) const override { return writer_ && gate_->wants(tile); }

  TileWaves* shown(unsigned tile) { return gate_->shows(tile) ? &tiles_[place_[tile]] : nullptr; }

  void retire(unsigned tile, const chip::Retire& r) override {
    gate_->retire(tile, r);
    if (TileWaves* t = shown(tile)) t->retire(r);
  }
  void port_write(unsigned tile, const chip::PortWrite& w) override {
    gate_->port_write(tile, w);
    if (TileWaves* t = shown(tile)) t->port_write(w);
  }
  void sent(unsigned tile, uint64_t cycle, uint32_t data) override {
    if (TileWaves* t = shown(tile)) t->sent(cycle, data);
  }
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t) override {
    if (TileWaves* t = shown(tile)) t->received(cycle, source);
  }
  void selected(unsigned tile, uint64_t cycle, unsigned source) override {
    if (TileWaves* t = shown(tile)) t->selected(cycle, source);
  }
  void exchanging(unsigned tile, uint64_t cycle, bool on) override {
    if (TileWaves* t = shown(tile)) t->exchanging(cycle, on);
  }
  void sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) override {
    gate_->sync_request(tile);
    if (TileWaves* t = shown(tile)) t->sync_request(cycle, zone, value);
  }
  void sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t, uint64_t) override {
    if (!writer_) return;
    for (TileWaves& t : tiles_) t.sync_acknowledge(cycle, zone, consensus, mark);
  }
  void packet_request(unsigned tile, uint64_t cycle) override {
    if (TileWaves* t = shown(tile)) t->packet_request(cycle);
  }
  void packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) override {
    if (TileWaves* t = shown(tile)) t->packet_out(cycle, data, last);
  }
  void packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool first) override {
    if (TileWaves* t = shown(tile)) t->packet_in(cycle, data, first);
  }
  void excepted(unsigned tile, const chip::ExceptionStatus& status) override {
    gate_->excepted(tile);
    if (TileWaves* t = shown(tile)) t->excepted(status);
  }
  void debug_written(unsigned tile, uint64_t cycle, chip::DebugSpace space, unsigned context, uint32_t address,
                     uint32_t) override {
    if (space != chip::DebugSpace::kControl || context != 0) return;
    for (TileWaves& t : tiles_)
      if (tile == chip::kNoTile || &t == shown(tile)) t.control_written(cycle, address);
  }
  void loaded(unsigned, uint64_t, uint32_t, std::span<const uint32_t>) override {}  // memory shows in no signal
  void superstep(uint64_t index, uint64_t cycle) override {
    if (!writer_) return;
    superstep_ = index;
    gate_->superstep(index, cycle);
    last_ = std::max(last_, cycle);
    flush(cycle);
    superstep_ = index + 1;
    superstep_began_ = cycle;
    named_ = false;
    if (gate_->over()) close();
  }

  size_t held_back() const {
    size_t records = 0;
    for (const TileWaves& tile : tiles_) records += tile.held_back();
    return records;
  }

  // Everything before `until` is written, as far as it is in the window.
  void flush(uint64_t until) {
    if (until <= flushed_) return;
    if (begin_ == kNever && gate_->begin() != kNever) begin_ = std::max(gate_->begin(), flushed_);
    flushed_ = until;
    changes_.clear();
    for (TileWaves& tile : tiles_) tile.flush(until, begin_, gate_->end(), changes_);
    const auto by_cycle = [](const Change& a, const Change& b) { return a.cycle < b.cycle; };
    if (!std::is_sorted(changes_.begin(), changes_.end(), by_cycle))
      std::stable_sort(changes_.begin(), changes_.end(), by_cycle);
    name_superstep();
    if (changes_.empty()) return;
    if (!shown_) declare();
    try {
      for (const Change& change : changes_) write(change);
    } catch (...) {
      writer_ = nullptr;  // nothing of it stays, and it is told once
      throw;
    }
  }

  // The superstep's name is what the lowest tile of the window did in it.
  void name_superstep() {
    const uint64_t from = std::max(superstep_began_, begin_);
    const std::vector<uint32_t> steps = tiles_.empty() ? std::vector<uint32_t>() : tiles_.front().take_steps();
    if (named_ || changes_.empty() || from >= gate_->end()) return;
    named_ = true;
    std::string name = fmt::format("{}", superstep_);
    for (size_t i = 0; i < steps.size(); ++i) name += (i == 0 ? " " : ", ") + shared_->texts[steps[i]];
    const auto at = std::lower_bound(changes_.begin(), changes_.end(), from,
                                     [](const Change& change, uint64_t cycle) { return change.cycle < cycle; });
    const Change number{from, superstep_, kSuperstepSignal, 0, NumberFormat::kNone};
    const Change text{from, shared_->texts.add(name), kNameSignal, 0, NumberFormat::kNone};
    changes_.insert(at, {number, text});
  }

  void declare() {
    shown_ = true;
    FstWriter& f = *writer_;
    f.open_scope(chip_scope(place_in_system_.chip));
    superstep_handle_ = f.bits("superstep [31:0]", 32);
    name_handle_ = f.text("superstep_name");
    handles_.clear();
    for (unsigned tile : gate_->tiles()) {
      f.open_scope(tile_scope(tile));
      for (const Scope& scope : tile_scopes()) {
        if (*scope.name) f.open_scope(scope.name);
        for (const Signal& signal : scope.signals)
          handles_.push_back(signal.bits == 0 ? f.text(signal.name) : f.bits(fst_name(signal), signal.bits));
        if (*scope.name) f.close_scope();
      }
      f.close_scope();
    }
    f.close_scope();
  }

  void write(const Change& change) {
    writer_->time(change.cycle);
    if (change.signal == kSuperstepSignal) return writer_->set(superstep_handle_, change.value);
    if (change.signal == kNameSignal) return writer_->set(name_handle_, shared_->texts[change.value]);
    const FstWriter::Handle handle = handles_[change.tile * kSignalsOfTile + change.signal];
    if (change.number != NumberFormat::kNone)
      writer_->set(handle, number_text(change.value, change.number));
    else if (text_signals()[change.signal])
      writer_->set(handle, shared_->texts[change.value]);
    else
      writer_->set(handle, change.value);
  }

  void close() {
    const std::unique_ptr<FstWriter> writer = std::move(writer_);
    if (!shown_) return writer->discard();  // its window never came: an empty file would only puzzle
    writer->time(std::min(last_, gate_->end()));
    writer->close();
    write_save_file(writer->path());
  }

  static constexpr uint32_t kSuperstepSignal = kSignalsOfTile, kNameSignal = kSignalsOfTile + 1;

  const Options options_;
  const spec::Machine machine_;
  const spec::ChipPlace place_in_system_;
  std::unique_ptr<FstWriter> writer_;  // null: nothing more is to be written of this program
  unsigned program_number_ = 1;
  names::ProgramInfo info_;
  std::optional<WindowGate> gate_;
  std::unique_ptr<TileWaves::Shared> shared_;
  std::deque<TileWaves> tiles_;
  std::vector<unsigned> place_;  // of a tile in tiles_
  std::vector<Change> changes_;
  FstWriter::Handle superstep_handle_ = 0, name_handle_ = 0;
  std::vector<FstWriter::Handle> handles_;
  bool shown_ = false;  // something of the program's window has been written
  bool left_ = false;   // and of an earlier program's
  bool ran_ = false;
  bool fresh_ = true;
  bool named_ = false;
  uint64_t superstep_ = 0, superstep_began_ = 0;
  uint64_t begin_ = kNever;          // first cycle written
  uint64_t flushed_ = 0, last_ = 0;  // before it everything is written; how far the run has come
};

}  // namespace

std::runtime_error never_came(const Options& options, uint64_t cycle, uint64_t superstep) {
  return std::runtime_error(fmt::format(
      "waves: {} is not written: the window wave-from={} never came; the run ended in cycle {}, superstep {}",
      options.waves, text(options.wave_window.from), cycle, superstep));
}

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place) {
  if (options.waves.empty()) return nullptr;
  if (options.wave_all_signals) return make_all_signals_part(options, machine, place);
  return std::make_unique<WavePart>(options, machine, place);
}

}  // namespace tessera::inspect::waves
