#include "inspect/gdb/finder.h"

#include <algorithm>
#include <bit>

#include "inspect/frozen_view.h"
#include "inspect/run.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {

void Finder::begin(Search search, Run& run, uint64_t start) {
  search_ = std::move(search);
  found_.reset();
  const spec::Machine& machine = run.chip().machine();
  tiles_.assign(machine.tiles(), Tile());
  // Text lies in region 0 (tile.md, Memory).
  text_ = machine.memory_base;
  text_end_ = machine.region1_base;
  for (const auto& [id, stops] : search_.stops) {
    Tile& tile = tiles_.at(id);
    tile.wanted = true;
    tile.reads = stops.reads_watched();
    tile.stops = &stops;
    tile.pcs.assign((text_end_ - text_) / 4 / 64, 0);
    for (const auto* set : {&stops.breaks, &stops.hardware_breaks})
      for (const uint32_t pc : *set)
        if (pc >= text_ && pc < text_end_) tile.pcs[(pc - text_) / 256] |= uint64_t{1} << ((pc - text_) / 4 % 64);
    if (!tile.reads) continue;
    FrozenView view(run, start);
    tile.registers.fill(view, id);
  }
  for (const StepWish& wish : search_.steps) {
    tiles_.at(wish.thread.tile).wanted = true;
    tiles_[wish.thread.tile].steps.push_back({wish});
  }
  run.go_to(start);
  busy_ = true;
}

void Finder::end() {
  busy_ = false;
  found_.reset();
  tiles_.clear();
}

void Finder::begin_anew() {
  found_.reset();
  search_.floor = {};
  search_.ahead.clear();
  search_.from = 0;
  for (Tile& tile : tiles_) tile.registers = {};
}

bool Finder::eligible(const Found& f) const {
  if (!search_.only.empty() && !search_.only.contains(f.thread)) return false;
  const auto own = search_.ahead.find(f.thread);
  const Key mine = own == search_.ahead.end() ? search_.floor : own->second;
  return search_.backwards ? f.key < std::min(search_.floor, mine) : f.key > std::max(search_.floor, mine);
}

void Finder::note(const Found& f) {
  if (!eligible(f)) return;
  if (!found_ || (search_.backwards ? f.key > found_->key : f.key < found_->key)) found_ = f;
}

void Finder::watch(unsigned tile, unsigned context, uint64_t cycle, uint32_t address, uint32_t bytes, bool write) {
  for (const Watch& w : tiles_[tile].stops->watches) {
    if (!(write ? w.writes : w.reads) || !Range{address, bytes}.meets(w.address, w.bytes)) continue;
    const StopKind kind = w.reads && w.writes ? StopKind::kAccess : w.reads ? StopKind::kRead : StopKind::kWrite;
    note({kind, Key::after(cycle, tile), {tile, context}, w.address});
  }
}

void Finder::follow(Step& step, unsigned tile, const chip::Retire& r) {
  if (r.context != step.wish.thread.context) return;
  if (search_.backwards) return note({StopKind::kStep, Key::before(r.cycle, tile), step.wish.thread});
  if (r.cycle < search_.from) return;
  if (step.wish.range && step.begun && (r.pc < step.wish.begin || r.pc >= step.wish.end))
    return note({StopKind::kStep, Key::before(r.cycle, tile), step.wish.thread});
  step.begun = true;
  if (r.context != 0 && spec::decode(r.instruction) == spec::Opcode::Exit)
    note({StopKind::kExit, Key::after(r.cycle, tile), step.wish.thread});
  else if (!step.wish.range)
    note({StopKind::kStep, Key::after(r.cycle, tile), step.wish.thread});
}

void Finder::retire(unsigned id, const chip::Retire& r) {
  if (!busy_) return;
  Tile& tile = tiles_[id];
  for (Step& step : tile.steps) follow(step, id, r);
  if (tile.stops == nullptr) return;
  if (const uint32_t word = (r.pc - text_) / 4;
      r.pc >= text_ && r.pc < text_end_ && tile.pcs[word / 64] >> word % 64 & 1)
    note({tile.stops->hardware_breaks.contains(r.pc) ? StopKind::kHardwareBreak : StopKind::kBreak,
          Key::before(r.cycle, id),
          {id, r.context},
          r.pc});
  if (tile.stops->watches.empty()) return;
  if (tile.reads) {
    for (const Range& range : tile.registers.reads(r))
      if (range.bytes != 0) watch(id, r.context, r.cycle, range.address, range.bytes, false);
    tile.registers.apply(r);
  }
  if (!r.mem_write || r.mem_strobe == 0) return;
  const auto first = static_cast<uint32_t>(std::countr_zero(r.mem_strobe));
  const auto length = static_cast<uint32_t>(std::bit_width(r.mem_strobe)) - first;
  watch(id, r.context, r.cycle, r.mem_address + first, length, true);
}

void Finder::port_write(unsigned id, const chip::PortWrite& w) {
  if (!busy_ || tiles_[id].stops == nullptr) return;
  watch(id, 0, w.cycle, w.address, 4, true);
}

}  // namespace tessera::inspect::gdb
